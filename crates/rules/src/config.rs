use std::fmt;

use crate::tile::{MAX_TILES, set_size};

/// Who starts a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Starter {
    /// The seats draw lots for the starting double before the deal; its finder starts.
    Lot,
    /// Whoever was dealt the starting double lays it as the first turn.
    Holder,
}

/// What becomes of a drawn tile that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawnTile {
    /// It is played at once; the seat chooses the end.
    MustPlay,
    /// It is played or kept.
    MayPlay,
}

/// A published rule set that gives every option its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Preset {
    /// Double-nine, 2 to 8 players, a deal table, an arm per player or more, lots for the start.
    Trains,
    /// Seven tiles each, four arms, the holder of the double starts, a drawn tile may be kept.
    Classic,
}

impl Preset {
    /// The preset that lets complete rules with so many opening arms through, if any does.
    pub(crate) const fn admitting(opening_arms: u8) -> Preset {
        if opening_arms == 4 { Preset::Classic } else { Preset::Trains }
    }
}

/// Options on top of a preset: what is `None` takes the preset's value. [`RuleOptions::resolve`] checks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleOptions {
    /// The rule set that fills what is left out.
    pub preset: Preset,
    /// Number of seats, 2 to 8 (`trains`) or 2 to 16 (`classic`). Has no default.
    pub players: u8,
    /// Highest number of the set: 6, 9, 12, 15 or 18.
    pub max_pip: Option<u8>,
    /// Tiles dealt to each seat, at least 1.
    pub hand_size: Option<u8>,
    /// Arms begun on the starting double before free play.
    pub opening_arms: Option<u8>,
    /// Who starts a round.
    pub starter: Option<Starter>,
    /// What becomes of a drawn tile that fits.
    pub drawn_tile: Option<DrawnTile>,
    /// Tiles at the end of the boneyard that are never drawn, 0 to 8.
    pub reserve: Option<u8>,
    /// What the double blank counts in a hand: 0 or 50.
    pub double_blank: Option<u8>,
    /// Rounds of the match, 1 to `max_pip` + 1.
    pub rounds: Option<u8>,
}

impl RuleOptions {
    /// The preset as it is, for this many seats.
    pub const fn new(preset: Preset, players: u8) -> RuleOptions {
        RuleOptions {
            preset,
            players,
            max_pip: None,
            hand_size: None,
            opening_arms: None,
            starter: None,
            drawn_tile: None,
            reserve: None,
            double_blank: None,
            rounds: None,
        }
    }

    /// Fills in the preset's values and checks the whole.
    ///
    /// # Errors
    /// The first option, in the order of [`Rules::text`], that is out of its range or does not fit the others.
    pub fn resolve(self) -> Result<Rules, ConfigError> {
        let RuleOptions { preset, players, .. } = self;
        let trains = preset == Preset::Trains;
        let max_pip = self.max_pip.unwrap_or(9);
        if ![6, 9, 12, 15, 18].contains(&max_pip) {
            return Err(ConfigError::new("max_pip", max_pip, "6, 9, 12, 15 or 18"));
        }
        let most_arms = max_pip.min(8);
        let most_players = if trains { most_arms } else { 16 };
        if !(2..=most_players).contains(&players) {
            let bound = match preset {
                Preset::Trains if max_pip < 8 => {
                    format!("2 to {most_players} (an arm for each seat on double-{max_pip})")
                }
                _ => format!("2 to {most_players}"),
            };
            return Err(ConfigError::new("players", players, bound));
        }
        let rules = Rules {
            max_pip,
            players,
            hand_size: self.hand_size.unwrap_or(if trains { trains_hand(max_pip, players) } else { 7 }),
            opening_arms: self.opening_arms.unwrap_or(if trains { players } else { 4 }),
            starter: self.starter.unwrap_or(if trains { Starter::Lot } else { Starter::Holder }),
            drawn_tile: self.drawn_tile.unwrap_or(if trains {
                DrawnTile::MustPlay
            } else {
                DrawnTile::MayPlay
            }),
            reserve: self.reserve.unwrap_or(if !trains {
                0
            } else if players == 2 {
                2
            } else {
                1
            }),
            double_blank: self.double_blank.unwrap_or(if trains { 0 } else { 50 }),
            rounds: self.rounds.unwrap_or(max_pip + 1),
        };
        let (least_arms, most_arms) = if trains { (players, most_arms) } else { (4, 4) };
        if !(least_arms..=most_arms).contains(&rules.opening_arms) {
            let bound = if trains { format!("{least_arms} to {most_arms}") } else { "4".to_owned() };
            return Err(ConfigError::new("opening_arms", rules.opening_arms, bound));
        }
        // Too many tiles asked for: the option that the caller set is the one to name.
        rules.check(if self.hand_size.is_some() { "hand_size" } else { "players" })?;
        Ok(rules)
    }
}

/// The rules of one match: every option has a value, and the whole is possible.
///
/// Made by [`RuleOptions::resolve`] or read from its text; small, and cheap to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Rules {
    max_pip: u8,
    players: u8,
    hand_size: u8,
    opening_arms: u8,
    starter: Starter,
    drawn_tile: DrawnTile,
    reserve: u8,
    double_blank: u8,
    rounds: u8,
}

impl Rules {
    /// Highest number of the set: 6, 9, 12, 15 or 18.
    pub const fn max_pip(&self) -> u8 {
        self.max_pip
    }

    /// Number of seats, 2 to 16.
    pub const fn players(&self) -> u8 {
        self.players
    }

    /// Tiles dealt to each seat, at least 1.
    pub const fn hand_size(&self) -> u8 {
        self.hand_size
    }

    /// Arms begun on the starting double before free play, 2 to 8.
    pub const fn opening_arms(&self) -> u8 {
        self.opening_arms
    }

    /// Who starts a round.
    pub const fn starter(&self) -> Starter {
        self.starter
    }

    /// What becomes of a drawn tile that fits.
    pub const fn drawn_tile(&self) -> DrawnTile {
        self.drawn_tile
    }

    /// Tiles at the end of the boneyard that are never drawn, 0 to 8.
    pub const fn reserve(&self) -> u8 {
        self.reserve
    }

    /// What the double blank counts in a hand: 0 or 50.
    pub const fn double_blank(&self) -> u8 {
        self.double_blank
    }

    /// Rounds of the match, 1 to `max_pip` + 1.
    pub const fn rounds(&self) -> u8 {
        self.rounds
    }

    /// The starting double's number in a round, counted from 1: double-N in the first, one less in each that follows.
    /// `None` for a round that the match does not have.
    pub const fn starting_double(&self, round: u8) -> Option<u8> {
        if round == 0 || round > self.rounds { None } else { Some(self.max_pip + 1 - round) }
    }

    /// The preset that the rules are nearest to, and whose bounds they keep.
    pub const fn preset(&self) -> Preset {
        let most_arms = if self.max_pip < 8 { self.max_pip } else { 8 };
        let as_trains = self.players <= self.opening_arms && self.opening_arms <= most_arms;
        match self.starter {
            Starter::Holder if self.opening_arms == 4 => Preset::Classic,
            Starter::Lot | Starter::Holder if as_trains => Preset::Trains,
            Starter::Lot | Starter::Holder => Preset::Classic,
        }
    }

    /// The rules as one line of text, the form that deals and digests are computed over:
    /// `max_pip=9;players=4;hand_size=11;opening_arms=4;starter=lot;drawn_tile=must_play;reserve=1;double_blank=0;rounds=10`.
    pub fn text(&self) -> String {
        self.to_string()
    }

    /// Reads what [`Rules::text`] writes.
    ///
    /// # Errors
    /// A missing, misplaced or misspelt option, or one that breaks its bound.
    pub fn from_text(text: &str) -> Result<Rules, ConfigError> {
        let mut parts = text.split(';');
        let mut word = |field: &'static str| {
            let part = parts.next().and_then(|part| part.split_once('='));
            match part {
                Some((name, value)) if name == field => Ok(value),
                _ => Err(ConfigError::text(field, "", format!("expected {field}=... in its place"))),
            }
        };
        let rules = Rules {
            max_pip: number("max_pip", word("max_pip")?)?,
            players: number("players", word("players")?)?,
            hand_size: number("hand_size", word("hand_size")?)?,
            opening_arms: number("opening_arms", word("opening_arms")?)?,
            starter: match word("starter")? {
                "lot" => Starter::Lot,
                "holder" => Starter::Holder,
                other => return Err(ConfigError::text("starter", other, "lot or holder")),
            },
            drawn_tile: match word("drawn_tile")? {
                "must_play" => DrawnTile::MustPlay,
                "may_play" => DrawnTile::MayPlay,
                other => return Err(ConfigError::text("drawn_tile", other, "must_play or may_play")),
            },
            reserve: number("reserve", word("reserve")?)?,
            double_blank: number("double_blank", word("double_blank")?)?,
            rounds: number("rounds", word("rounds")?)?,
        };
        if parts.next().is_some() {
            return Err(ConfigError::text("rules", text, "nothing after rounds"));
        }
        RuleOptions {
            preset: Preset::admitting(rules.opening_arms),
            players: rules.players,
            max_pip: Some(rules.max_pip),
            hand_size: Some(rules.hand_size),
            opening_arms: Some(rules.opening_arms),
            starter: Some(rules.starter),
            drawn_tile: Some(rules.drawn_tile),
            reserve: Some(rules.reserve),
            double_blank: Some(rules.double_blank),
            rounds: Some(rules.rounds),
        }
        .resolve()
    }

    /// The tiles that must be there before the first turn.
    fn needed(&self) -> usize {
        let set_aside = usize::from(self.starter == Starter::Lot);
        usize::from(self.players) * usize::from(self.hand_size) + usize::from(self.reserve) + set_aside
    }

    fn check(&self, too_many: &'static str) -> Result<(), ConfigError> {
        if self.hand_size == 0 {
            return Err(ConfigError::new("hand_size", 0, "at least 1"));
        }
        if self.reserve > 8 {
            return Err(ConfigError::new("reserve", self.reserve, "0 to 8"));
        }
        let (needed, there) = (self.needed(), set_size(self.max_pip));
        if needed > there {
            let set_aside = if self.starter == Starter::Lot { " + the starting double" } else { "" };
            let larger = [9, 12, 15, 18].into_iter().find(|n| set_size(*n) >= needed);
            let advice = match larger {
                Some(n) => format!("double-{n} ({} tiles) fits", set_size(n)),
                None => format!("no set has more than {MAX_TILES}"),
            };
            let (players, hand, reserve) = (self.players, self.hand_size, self.reserve);
            return Err(ConfigError::new(
                too_many,
                if too_many == "players" { players } else { hand },
                format!(
                    "players {players} x hand_size {hand} + reserve {reserve}{set_aside} = {needed} tiles, \
                     at most the {there} of double-{}; {advice}",
                    self.max_pip
                ),
            ));
        }
        if self.double_blank != 0 && self.double_blank != 50 {
            return Err(ConfigError::new("double_blank", self.double_blank, "0 or 50"));
        }
        if self.rounds == 0 || self.rounds > self.max_pip + 1 {
            return Err(ConfigError::new("rounds", self.rounds, format!("1 to {}", self.max_pip + 1)));
        }
        Ok(())
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let starter = match self.starter {
            Starter::Lot => "lot",
            Starter::Holder => "holder",
        };
        let drawn_tile = match self.drawn_tile {
            DrawnTile::MustPlay => "must_play",
            DrawnTile::MayPlay => "may_play",
        };
        write!(
            f,
            "max_pip={};players={};hand_size={};opening_arms={};starter={starter};drawn_tile={drawn_tile};\
             reserve={};double_blank={};rounds={}",
            self.max_pip,
            self.players,
            self.hand_size,
            self.opening_arms,
            self.reserve,
            self.double_blank,
            self.rounds
        )
    }
}

impl From<Rules> for String {
    fn from(rules: Rules) -> String {
        rules.text()
    }
}

impl TryFrom<String> for Rules {
    type Error = ConfigError;

    fn try_from(text: String) -> Result<Rules, ConfigError> {
        Rules::from_text(&text)
    }
}

/// An impossible rule option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The option's name as in [`RuleOptions`].
    pub field: &'static str,
    /// What it was.
    pub value: String,
    /// What it must be.
    pub bound: String,
}

impl ConfigError {
    fn new(field: &'static str, value: u8, bound: impl Into<String>) -> ConfigError {
        ConfigError { field, value: value.to_string(), bound: bound.into() }
    }

    fn text(field: &'static str, value: &str, bound: impl Into<String>) -> ConfigError {
        ConfigError { field, value: value.to_owned(), bound: bound.into() }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {:?}, must be {}", self.field, self.value, self.bound)
    }
}

impl std::error::Error for ConfigError {}

/// The deal table of `trains` for double-nine; for other sets four fifths of the tiles, shared evenly.
fn trains_hand(max_pip: u8, players: u8) -> u8 {
    match (max_pip, players) {
        (9, 2) => 21,
        (9, 3) => 14,
        (9, 4) => 11,
        (9, 5) => 8,
        (9, 6) => 7,
        (9, 7) => 6,
        (9, 8) => 5,
        _ => (set_size(max_pip) * 4 / (5 * usize::from(players))) as u8,
    }
}

fn number(field: &'static str, text: &str) -> Result<u8, ConfigError> {
    text.parse().map_err(|_| ConfigError::text(field, text, "a whole number from 0 to 255"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trains(players: u8) -> RuleOptions {
        RuleOptions::new(Preset::Trains, players)
    }

    fn classic(players: u8) -> RuleOptions {
        RuleOptions::new(Preset::Classic, players)
    }

    #[test]
    fn presets_have_the_published_values() {
        assert_eq!(
            trains(4).resolve().unwrap().text(),
            "max_pip=9;players=4;hand_size=11;opening_arms=4;starter=lot;drawn_tile=must_play;reserve=1;\
             double_blank=0;rounds=10"
        );
        assert_eq!(
            classic(5).resolve().unwrap().text(),
            "max_pip=9;players=5;hand_size=7;opening_arms=4;starter=holder;drawn_tile=may_play;reserve=0;\
             double_blank=50;rounds=10"
        );
        let two = trains(2).resolve().unwrap();
        assert_eq!((two.hand_size(), two.reserve(), two.opening_arms()), (21, 2, 2));
        let twelve = RuleOptions { max_pip: Some(12), ..trains(5) }.resolve().unwrap();
        assert_eq!((twelve.hand_size(), twelve.rounds()), (14, 13));
    }

    #[test]
    fn every_possible_rule_survives_its_text() {
        for players in 2..=16 {
            for max_pip in [6, 9, 12, 15, 18] {
                for options in [trains(players), classic(players)] {
                    if let Ok(rules) = (RuleOptions { max_pip: Some(max_pip), ..options }).resolve() {
                        assert_eq!(Rules::from_text(&rules.text()), Ok(rules));
                        assert_eq!(rules.preset(), options.preset);
                    }
                }
            }
        }
    }

    #[test]
    fn each_impossible_option_is_refused_with_its_field_and_bound() {
        let cases = [
            (RuleOptions { max_pip: Some(10), ..trains(4) }, "max_pip", "6, 9, 12, 15 or 18"),
            (trains(1), "players", "2 to 8"),
            (trains(9), "players", "2 to 8"),
            (RuleOptions { max_pip: Some(6), ..trains(7) }, "players", "2 to 6"),
            (classic(17), "players", "2 to 16"),
            (classic(8), "players", "56 tiles, at most the 55 of double-9; double-12 (91 tiles) fits"),
            (RuleOptions { hand_size: Some(0), ..trains(4) }, "hand_size", "at least 1"),
            (RuleOptions { hand_size: Some(14), ..trains(4) }, "hand_size", "58 tiles"),
            (RuleOptions { hand_size: Some(255), ..classic(16) }, "hand_size", "no set has more than 190"),
            (RuleOptions { opening_arms: Some(3), ..trains(4) }, "opening_arms", "4 to 8"),
            (RuleOptions { opening_arms: Some(9), ..trains(4) }, "opening_arms", "4 to 8"),
            (RuleOptions { opening_arms: Some(5), ..classic(4) }, "opening_arms", "4"),
            (RuleOptions { reserve: Some(9), ..trains(4) }, "reserve", "0 to 8"),
            (RuleOptions { double_blank: Some(25), ..trains(4) }, "double_blank", "0 or 50"),
            (RuleOptions { rounds: Some(0), ..trains(4) }, "rounds", "1 to 10"),
            (RuleOptions { rounds: Some(11), ..trains(4) }, "rounds", "1 to 10"),
        ];
        for (options, field, bound) in cases {
            let error = options.resolve().unwrap_err();
            assert_eq!(error.field, field, "{error}");
            assert!(error.bound.contains(bound), "{error}");
        }
    }

    #[test]
    fn a_text_that_is_not_rules_is_refused() {
        let good = trains(4).resolve().unwrap().text();
        for bad in [
            "",
            "max_pip=9",
            &good.replace("lot", "luck"),
            &good.replace("must_play", "x"),
            &format!("{good};more=1"),
            &good.replace("players=4", "players=444"),
            &good.replace("players", "seats"),
        ] {
            assert!(Rules::from_text(bad).is_err(), "{bad}");
        }
    }
}
