use chickenfoot_picture::{Outline, Stage};
use chickenfoot_protocol::v1;
use chickenfoot_protocol::{wire_event, wire_rules, wire_scene};
use chickenfoot_rules::{Outcome, Record, Viewer};

/// Whether scenes have the table as text too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outlines {
    With,
    Without,
}

/// The match as the service would describe it, as far as the record knows.
pub(crate) fn about(record: &Record) -> v1::Match {
    let seats = (0..).zip(&record.seats).map(|(at, seat): (usize, _)| v1::Seat {
        name: seat.name.clone(),
        total: record.totals.get(at).copied().unwrap_or_default(),
        place: record.places.get(at).copied().unwrap_or_default().into(),
        ..v1::Seat::default()
    });
    let state = match record.outcome {
        Outcome::Finished => v1::MatchState::Finished,
        Outcome::Aborted => v1::MatchState::Aborted,
    };
    v1::Match {
        id: record.match_id.clone(),
        state: state.into(),
        rules: Some(wire_rules(&record.rules)),
        seats: seats.collect(),
        deal_id: record.deal_id.clone(),
        commitment: record.commitment.0.to_vec(),
        seed: record.seed.0.to_vec(),
        round: u32::try_from(record.rounds.len()).unwrap_or(u32::MAX),
        head_seq: record.events().len() as u64,
        digest: record.digest.0.to_vec(),
        ..v1::Match::default()
    }
}

/// What a watch of the match would say now that it is over: each event with all that is true about it, and its scene.
pub(crate) fn moments(record: &Record, outlines: Outlines) -> Vec<(v1::Event, v1::Scene)> {
    let mut stage = Stage::default();
    let mut moments = Vec::new();
    for (seq, event) in (1..).zip(record.events()) {
        // In a record that is not right a tile may have no place. Then it is in no picture, and everything else is there.
        let _ = stage.follow(&event);
        let scene = stage.scene(seq, seq == 1).map(|scene| wire_scene(seq, &scene));
        let mut scene = scene.unwrap_or_else(|| v1::Scene { seq, ..v1::Scene::default() });
        if outlines == Outlines::With {
            scene.outline =
                stage.table(seq).map(|table| Outline::UNBROKEN.render(&table)).unwrap_or_default();
        }
        moments.push((wire_event(seq, &event.seen_by(Viewer::Afterwards)), scene));
    }
    moments
}

#[cfg(test)]
mod tests {
    use chickenfoot_bot::local::{LocalMatch, MakeBot, play};
    use chickenfoot_bot::strategy_bots;
    use chickenfoot_rules::{Preset, RuleOptions, Seed};

    use super::*;

    /// A round of two strategies with the largest set, so that there are long runs.
    fn record(seed: u8) -> Record {
        let rules = RuleOptions { rounds: Some(1), max_pip: Some(18), ..RuleOptions::new(Preset::Trains, 2) };
        let seat = |name: &str| {
            let mut make = strategy_bots("greedy", 1).unwrap();
            let make: MakeBot = Box::new(move |game| make(game));
            (name.to_owned(), make)
        };
        let seats = ["ann", "bob"].into_iter().map(seat).collect();
        play(LocalMatch { rules: rules.resolve().unwrap(), seed: Seed::new([seed; 32]), seats }).unwrap()
    }

    #[test]
    fn a_run_is_one_line_however_long() {
        let length = |scene: v1::Scene| scene.outline.lines().map(|line| line.chars().count()).max();
        let longest =
            |record| moments(&record, Outlines::With).into_iter().filter_map(|(_, it)| length(it)).max();
        let longest: Vec<usize> = (0..10).map(record).filter_map(longest).collect();
        assert!(longest.iter().any(|length| *length > 80), "{longest:?}");
    }
}
