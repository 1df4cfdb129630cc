use chickenfoot_protocol::v1::{self, event::What};
use chickenfoot_protocol::{Malformed, end_from_wire, rules_from_wire, seat_from_wire};
use chickenfoot_rules::{Choice, Move, Tile};

use super::{Act, Story, list};
use crate::error::Failure;
use crate::output::Output;

impl Story {
    /// Follows an event and, if it is to be shown, tells it.
    pub(crate) fn tell(&mut self, event: &v1::Event, show: bool, out: &mut Output) -> Result<(), Failure> {
        let text = self.follow(event)?;
        if !show {
            return Ok(());
        }
        let seq = event.seq;
        match event.what {
            Some(What::RoundStarted(_)) => out.heading(format_args!("{seq:>5}  {text}")),
            Some(What::RoundEnded(_)) => {
                out.line(format_args!("{seq:>5} {text}"))?;
                self.draw(out)
            }
            _ => out.line(format_args!("{seq:>5}  {text}")),
        }
    }

    /// Follows an event and gives its text.
    pub(crate) fn follow(&mut self, event: &v1::Event) -> Result<String, Malformed> {
        Ok(match event.what.as_ref() {
            None => "something that this version does not know".to_owned(),
            Some(What::RoundEnded(ended)) => {
                let end = ended.end.as_ref().ok_or_else(|| Malformed::missing("round_ended.end"))?;
                self.finish(end_from_wire(end)?, &ended.scores, Some(&ended.totals))
            }
            Some(What::MatchStarted(started)) => self.match_started(started)?,
            Some(What::RoundStarted(started)) => {
                self.begin_round(small(started.round), small(started.starting_double));
                format!("round {} on double-{}", started.round, started.starting_double)
            }
            Some(What::HandDealt(dealt)) => format!("{}  {}", self.column(dealt.seat), hand(dealt)?),
            Some(What::StartLaid(it)) => self.acted(it.seat, Act::Start)?,
            Some(What::Played(it)) => self.acted(it.seat, played(it)?)?,
            Some(What::Drew(it)) => {
                let tile = it.tile.as_ref().map(Tile::try_from).transpose()?;
                self.acted(it.seat, Act::Draw(tile))?
            }
            Some(What::Passed(it)) => self.acted(it.seat, if it.kept { Act::Keep } else { Act::Pass })?,
            Some(What::SeatForfeited(it)) => self.acted(it.seat, Act::Forfeit)?,
            Some(What::MatchEnded(it)) => {
                format!("match ended: totals {}, places {}", list(&it.totals), list(&it.places))
            }
            Some(What::MatchAborted(_)) => "match aborted".to_owned(),
        })
    }

    fn match_started(&mut self, started: &v1::MatchStarted) -> Result<String, Malformed> {
        let wire = started.rules.as_ref().ok_or_else(|| Malformed::missing("match_started.rules"))?;
        let rules = rules_from_wire(wire, started.seats.len())?;
        let names: Vec<String> = started.seats.iter().map(|seat| seat.name.clone()).collect();
        self.begin(&names, &rules);
        Ok(format!("match started: {}", rules.text()))
    }

    fn acted(&mut self, seat: u32, act: Act) -> Result<String, Malformed> {
        seat_from_wire("seat", seat)?;
        let what = self.act(act);
        Ok(format!("{}  {what}", self.column(seat)))
    }
}

fn played(played: &v1::Played) -> Result<Act, Malformed> {
    let play = played.play.ok_or_else(|| Malformed::missing("played.play"))?;
    let wire = v1::Move { kind: Some(v1::r#move::Kind::Play(play)) };
    let Choice { action, line } = Choice::try_from(&wire)?;
    Ok(match action {
        Move::Play { tile, end } => Act::Play { tile, end, line },
        Move::Draw => Act::Draw(None),
        Move::Pass => Act::Pass,
        Move::Keep => Act::Keep,
    })
}

fn hand(dealt: &v1::HandDealt) -> Result<String, Malformed> {
    if dealt.tiles.is_empty() {
        return Ok(format!("is dealt {} tiles", dealt.count));
    }
    let tiles = dealt.tiles.iter().map(|tile| Tile::try_from(tile).map(|tile| tile.to_string()));
    Ok(format!("is dealt {}", tiles.collect::<Result<Vec<_>, _>>()?.join(" ")))
}

/// Rules on the wire as their one line of text.
pub(crate) fn rules_text(wire: &v1::Rules, seats: usize) -> Result<String, Malformed> {
    Ok(rules_from_wire(wire, seats)?.text())
}

fn small(number: u32) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}
