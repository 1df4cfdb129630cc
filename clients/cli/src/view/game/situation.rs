use chickenfoot_protocol::v1::{self, event::What, round_end::How};

use super::Game;
use crate::matches::{aborted, missing};

impl Game {
    /// How the match stands at the moment that is shown, in words.
    pub(super) fn situation(&self) -> String {
        let Some(frame) = self.film.frame() else { return self.before() };
        match frame.event.what.as_ref() {
            Some(What::MatchEnded(ended)) => self.result(ended),
            Some(What::MatchAborted(_)) => self.aborted(),
            Some(What::RoundEnded(ended)) => {
                let how = match ended.end.as_ref().and_then(|end| end.how.as_ref()) {
                    Some(How::Out(seat)) => format!("{} is out", self.name(*seat)),
                    Some(How::Blocked(_)) => "blocked, nobody can go on".to_owned(),
                    None => "over".to_owned(),
                };
                format!("{} ends: {how}", self.round())
            }
            _ => self.in_play(&frame.scene),
        }
    }

    fn before(&self) -> String {
        match &self.about {
            None => "asking the service".to_owned(),
            Some(about) => missing(about).unwrap_or_else(|| match about.state() {
                v1::MatchState::Aborted => self.aborted(),
                v1::MatchState::Unspecified
                | v1::MatchState::Open
                | v1::MatchState::Running
                | v1::MatchState::Finished => "waiting for the first event".to_owned(),
            }),
        }
    }

    fn in_play(&self, scene: &v1::Scene) -> String {
        let mut parts = Vec::new();
        parts.extend(scene.on_turn.map(|seat| format!("{} is on turn", self.name(seat))));
        parts.extend(scene.foot.map(|foot| {
            let toes = if foot.missing == 1 { "toe" } else { "toes" };
            format!("the foot on {} lacks {} {toes}", foot.number, foot.missing)
        }));
        match scene.arms_left {
            0 => {}
            1 => parts.push("1 arm to begin".to_owned()),
            arms => parts.push(format!("{arms} arms to begin")),
        }
        if scene.round > 0 {
            parts.push(format!("yard {}", scene.boneyard));
        }
        parts.push(self.round());
        parts.join("; ")
    }

    /// Which round it is.
    fn round(&self) -> String {
        match self.film.story().rounds() {
            (0, _) => "before the first round".to_owned(),
            (round, Some(all)) => format!("round {round} of {all}"),
            (round, None) => format!("round {round}"),
        }
    }

    fn result(&self, ended: &v1::MatchEnded) -> String {
        let places = (0..).zip(&ended.places);
        let first: Vec<String> =
            places.filter(|(_, place)| **place == 1).map(|(seat, _)| self.name(seat)).collect();
        let best = ended.totals.iter().zip(&ended.places).find(|(_, place)| **place == 1);
        let points = best.map(|(total, _)| format!(" with {total} points")).unwrap_or_default();
        match &first[..] {
            [] => "the match is over".to_owned(),
            [one] => format!("{one} wins{points}"),
            several => format!("{} share the first place{points}", several.join(" and ")),
        }
    }

    fn aborted(&self) -> String {
        aborted(self.about.as_ref().map_or("", |about| about.abort_reason.as_str()))
    }
}
