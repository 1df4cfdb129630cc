use std::time::Duration;

use chickenfoot_protocol::v1::{self, event::What};

use super::Game;
use super::film::time;
use crate::json::{out_word, spec};
use crate::text::clean;

/// What is shown of a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SeatLine {
    pub(super) number: u32,
    pub(super) name: String,
    pub(super) on_turn: bool,
    /// Tiles in its hand; unknown where the service does not say.
    pub(super) tiles: Option<u32>,
    pub(super) points: u32,
    /// Whatever else there is to say, in words.
    pub(super) more: Vec<String>,
}

impl Game {
    /// A seat's name, with its number where names alone do not tell who it is.
    pub(super) fn name(&self, seat: u32) -> String {
        let names = self.names();
        let Some(name) = names.get(seat as usize) else { return format!("seat {seat}") };
        match names.iter().filter(|other| *other == name).count() {
            1 => name.clone(),
            _ => format!("{seat} {name}"),
        }
    }

    fn names(&self) -> Vec<String> {
        let told = self.film.story().names();
        if !told.is_empty() {
            return told.to_vec();
        }
        let seats = self.about.iter().flat_map(|about| &about.seats);
        let sitter = |seat: &v1::Seat| match seat.name.as_str() {
            "" => format!("({})", clean(spec(seat))),
            name => clean(name),
        };
        seats.map(sitter).collect()
    }

    /// All seats at the moment that is shown.
    pub(super) fn seats(&self) -> Vec<SeatLine> {
        (0..).zip(self.names()).map(|(number, name)| self.seat(number, name)).collect()
    }

    fn seat(&self, number: u32, name: String) -> SeatLine {
        let scene = self.film.scene();
        let public = scene.and_then(|scene| scene.seats.get(number as usize));
        let on_turn = scene.and_then(|scene| scene.on_turn) == Some(number);
        let mut more = Vec::new();
        more.extend(self.place(number));
        more.extend(self.thought(number).map(|think| format!("thought {}", seconds(think))));
        if self.is_newest() {
            more.extend(self.clock(on_turn));
            more.extend(self.ledger(number));
        }
        if let Some(public) = public.filter(|public| !public.lacks.is_empty()) {
            let lacks: Vec<String> = public.lacks.iter().map(u32::to_string).collect();
            more.push(format!("lacks {}", lacks.join(" ")));
        }
        SeatLine {
            number,
            name,
            on_turn,
            tiles: public.map(|public| public.tiles),
            points: public.map_or_else(|| self.total(number), |public| public.total),
            more,
        }
    }

    fn place(&self, number: u32) -> Option<String> {
        match self.film.frame()?.event.what.as_ref()? {
            What::MatchEnded(ended) => Some(format!("place {}", ended.places.get(number as usize)?)),
            _ => None,
        }
    }

    /// The score in the rounds that are over, where no scene tells it.
    fn total(&self, number: u32) -> u32 {
        let totals = self.film.past().iter().rev().find_map(|frame| match frame.event.what.as_ref()? {
            What::RoundEnded(ended) => Some(&ended.totals),
            What::MatchEnded(ended) => Some(&ended.totals),
            _ => None,
        });
        totals.and_then(|totals| totals.get(number as usize)).copied().unwrap_or_default()
    }

    /// How long the seat on turn has been, while somebody waits for it.
    fn clock(&self, on_turn: bool) -> Option<String> {
        let about = self.about.as_ref()?;
        let waits = on_turn && self.live && about.state() == v1::MatchState::Running && !self.link.is_down();
        if !waits {
            return None;
        }
        let since: Duration = self.now?.saturating_duration_since(self.came?);
        let granted = about.decision_time.map(time).unwrap_or_default();
        Some(format!("thinks for {} s of {}", since.as_secs(), seconds(granted)))
    }

    /// The time that the seat took for all its decisions. Scenes tell it once the match is over; until then the service
    /// notes what it is now, and so it does for who has watched to the end.
    fn thought(&self, number: u32) -> Option<Duration> {
        let noted = self.noted(number).and_then(|ledger| ledger.think).filter(|_| self.is_newest());
        noted.map(time).or_else(|| self.film.think(number))
    }

    fn is_newest(&self) -> bool {
        self.film.at() == self.film.len()
    }

    fn noted(&self, number: u32) -> Option<v1::SeatLedger> {
        self.about.as_ref()?.seats.get(number as usize)?.ledger
    }

    /// What the service notes of the seat. It tells how it is now, not how it was.
    fn ledger(&self, number: u32) -> Vec<String> {
        let Some(about) = &self.about else { return Vec::new() };
        let ledger = self.noted(number).unwrap_or_default();
        let mut notes = Vec::new();
        let bank = about.bank.map(time).unwrap_or_default();
        if !bank.is_zero() {
            let used = ledger.bank_used.map(time).unwrap_or_default();
            notes.push(format!("bank {}", seconds(bank.saturating_sub(used))));
        }
        match ledger.strikes {
            0 => {}
            1 => notes.push("1 strike".to_owned()),
            strikes => notes.push(format!("{strikes} strikes")),
        }
        notes.extend(out_word(ledger.out()).map(|why| format!("out: {why}")));
        notes
    }
}

/// A time in seconds, with a tenth below a minute.
pub(super) fn seconds(time: Duration) -> String {
    match time.as_secs() {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        whole => format!("{whole} s"),
    }
}
