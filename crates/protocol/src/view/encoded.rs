use std::fmt;

use prost::bytes::{Buf, BufMut, Bytes};
use prost::encoding::{DecodeContext, WireType, bytes, encode_key, encode_varint, skip_field, uint64};
use prost::{DecodeError, Message};

use super::writer::{self, message, number};

/// A view as the bytes of its message, in place of the type that the contract's compiler would make of
/// `chickenfoot.v1.View`. `chickenfoot_rules::View::try_from` reads it.
///
/// It is most of every decision, and a service writes it once and reads it never. So it is written in one pass from the
/// rules' own type; the compiler's would first be filled, and then measured once for each message around it.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct View(Vec<u8>);

impl View {
    /// A view on the wire.
    pub fn of(view: &chickenfoot_rules::View<'_>) -> View {
        // A step takes up to 17 bytes with those of its field.
        let mut out = Vec::with_capacity(256 + 17 * view.history.len());
        message(1, &mut out, |out| writer::rules(&view.rules, out));
        number(2, view.round.into(), &mut out);
        number(3, view.seat.number().into(), &mut out);
        number(4, view.starting_double.into(), &mut out);
        for tile in view.hand.iter() {
            writer::tile(5, tile, &mut out);
        }
        if let Some(tile) = view.drawn {
            writer::tile(6, tile, &mut out);
        }
        for (line, tip) in view.tips() {
            message(7, &mut out, |out| {
                number(1, line.number().into(), out);
                number(2, tip.into(), out);
            });
        }
        if let Some(foot) = view.foot {
            message(8, &mut out, |out| {
                number(1, foot.number.into(), out);
                number(2, foot.missing.into(), out);
            });
        }
        number(9, view.arms_left.into(), &mut out);
        number(10, view.boneyard.into(), &mut out);
        for seat in view.seats() {
            message(11, &mut out, |out| writer::seat(seat, out));
        }
        for step in view.history.iter() {
            writer::step(12, *step, &mut out);
        }
        View(out)
    }

    /// The message's bytes.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Message for View {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        buf.put_slice(&self.0);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        match wire_type {
            WireType::LengthDelimited => {
                let mut field = Bytes::new();
                bytes::merge(wire_type, &mut field, buf, ctx)?;
                encode_key(tag, wire_type, &mut self.0);
                encode_varint(field.len() as u64, &mut self.0);
                self.0.extend_from_slice(&field);
                Ok(())
            }
            WireType::Varint => {
                let mut number = 0;
                uint64::merge(wire_type, &mut number, buf, ctx)?;
                encode_key(tag, wire_type, &mut self.0);
                encode_varint(number, &mut self.0);
                Ok(())
            }
            // The contract has no such field yet.
            _ => skip_field(wire_type, tag, buf, ctx),
        }
    }

    fn encoded_len(&self) -> usize {
        self.0.len()
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match super::Plain::of(self) {
            Ok(plain) => plain.fmt(f),
            Err(_) => f.debug_tuple("View").field(&self.0).finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use chickenfoot_rules::{
        Act, Choice, Contributor, Entropy, Event, ForcedMoves, Line, LineId, Match, MatchSetup, MatchStart,
        Preset, RuleOptions, Seat, SeatState, Seed, Step, Tile,
    };

    use super::super::Plain;
    use super::*;
    use crate::game::wire_play;
    use crate::rules::wire_rules;
    use crate::v1;

    /// The views of all decisions of a match in which the options are taken in turn.
    fn for_all_views(options: RuleOptions, mut claim: impl FnMut(&chickenfoot_rules::View<'_>)) {
        let rules = options.resolve().unwrap();
        let seats = (0..rules.players())
            .map(|seat| Contributor { name: format!("seat-{seat}"), entropy: Entropy::default() })
            .collect();
        let seed = Seed::new([7; 32]);
        let start = MatchStart::new(rules, "test", &seed, seats);
        let mut events: Vec<Event> = Vec::new();
        let setup = MatchSetup::seeded(start, &seed, ForcedMoves::Asked);
        let mut game = Match::start(setup, &mut events).unwrap();
        let mut turn = 0;
        while let Some(decision) = game.decision().cloned() {
            claim(&game.view().unwrap());
            turn += 1;
            let moves: Vec<_> = decision.moves.collect();
            let choice = Choice::from(moves[turn % moves.len()]);
            let entry = game.check(decision.number, decision.seat, choice).unwrap();
            game.commit(entry, &mut events).unwrap();
        }
    }

    /// The message as the contract has it.
    fn plain(view: &chickenfoot_rules::View<'_>) -> Plain {
        let end = |line: &Line| Some(v1::OpenEnd { line: line.id.number().into(), number: line.tip?.into() });
        let seat = |seat: &SeatState| v1::SeatView {
            tiles: seat.tiles.into(),
            total: seat.total,
            lacks: seat.lacks.iter().map(u32::from).collect(),
        };
        Plain {
            rules: Some(wire_rules(&view.rules)),
            round: view.round.into(),
            seat: view.seat.number().into(),
            starting_double: view.starting_double.into(),
            hand: view.hand.iter().map(v1::Tile::from).collect(),
            drawn: view.drawn.map(v1::Tile::from),
            ends: view.lines().all().iter().filter_map(end).collect(),
            foot: view.foot.map(|foot| v1::Foot { number: foot.number.into(), missing: foot.missing.into() }),
            arms_left: view.arms_left.into(),
            boneyard: view.boneyard.into(),
            seats: view.seats().iter().map(seat).collect(),
            history: view.history.iter().map(plain_step).collect(),
        }
    }

    fn plain_step(step: &Step) -> v1::Step {
        use v1::step::Act as Wire;
        let act = match step.act {
            Act::Start => Wire::Start(v1::Start {}),
            Act::Play { tile, end, line } => Wire::Play(wire_play(tile, end, Some(line))),
            Act::Draw => Wire::Draw(v1::Draw {}),
            Act::Pass => Wire::Pass(v1::Pass {}),
        };
        v1::Step { seat: step.seat.number().into(), act: Some(act) }
    }

    #[test]
    fn any_line_is_written_as_the_contract_has_it() {
        for line in (1..=255).filter_map(LineId::new) {
            let tile = Tile::new(0, 18).unwrap();
            let step = Step { seat: Seat::new(15).unwrap(), act: Act::Play { tile, end: 0, line } };
            let mut out = Vec::new();
            writer::step(12, step, &mut out);
            let history = vec![plain_step(&step)];
            assert_eq!(out, Plain { history, ..Plain::default() }.encode_to_vec());
        }
    }

    #[test]
    fn it_is_written_and_read_as_the_contract_has_it() {
        let large = RuleOptions { max_pip: Some(18), ..RuleOptions::new(Preset::Classic, 16) };
        let kinds = [RuleOptions::new(Preset::Trains, 4), RuleOptions::new(Preset::Classic, 2), large];
        for options in kinds {
            for_all_views(options, |view| {
                let encoded = View::of(view);
                let bytes = encoded.encode_to_vec();
                assert_eq!(bytes, plain(view).encode_to_vec());
                assert_eq!(bytes.len(), encoded.encoded_len());
                let read = View::decode(bytes.as_slice()).unwrap();
                assert_eq!(chickenfoot_rules::View::try_from(&read).as_ref(), Ok(view));
                assert_eq!(read, encoded);
            });
        }
    }

    #[test]
    fn what_is_no_view_is_refused() {
        let no_rules = View::decode([].as_slice()).unwrap();
        assert_eq!(chickenfoot_rules::View::try_from(&no_rules).unwrap_err().field, "rules");
        // The rules are no message.
        let broken = View::decode([0x0a, 0x01, 0xff].as_slice()).unwrap();
        assert!(chickenfoot_rules::View::try_from(&broken).is_err());
        // Less than it says.
        assert!(View::decode([0x0a, 0x02, 0xff].as_slice()).is_err());
    }
}
