use chickenfoot_protocol::v1::{self, seat_spec::Who};
use chickenfoot_protocol::{wire_forced, wire_rules};
use chickenfoot_rules::{
    Contributor, Entropy, ForcedMoves, Match, MatchSetup, MatchStart, Move, Preset, RuleOptions, Rules, Seed,
    View,
};
use chickenfoot_strategy::by_name;

use crate::exam::Stop;

/// What the deals of a match with a fixed seed are bound to.
const DEAL_ID: &str = "fixed";

/// The player of the house that the bot meets. It has no chance in it.
const HOUSE: &str = "greedy";

/// Seeds that are tried for a situation. The rarest comes up once in some thousands.
const SEEDS: u64 = 200_000;

/// Who sits on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sits {
    Bot,
    House,
}

/// A match to be put before the bot.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    options: RuleOptions,
    seats: Vec<Sits>,
    forced: ForcedMoves,
    seed: Seed,
}

impl Table {
    /// One round of the preset; the bot sits on the seats that are its own.
    pub(crate) fn new(preset: Preset, seats: &[Sits]) -> Table {
        let players = u8::try_from(seats.len()).unwrap_or(u8::MAX);
        let options = RuleOptions { rounds: Some(1), ..RuleOptions::new(preset, players) };
        Table { options, seats: seats.to_vec(), forced: ForcedMoves::Automatic, seed: seed(0) }
    }

    /// A short round of two: the bot, and one of the house.
    pub(crate) fn short() -> Table {
        Table::new(Preset::Trains, &[Sits::Bot, Sits::House]).options(|options| options.hand_size = Some(6))
    }

    /// With other rules.
    pub(crate) fn options(mut self, change: impl FnOnce(&mut RuleOptions)) -> Table {
        change(&mut self.options);
        self
    }

    /// With forced moves asked.
    pub(crate) fn asked(self) -> Table {
        Table { forced: ForcedMoves::Asked, ..self }
    }

    /// With another fixed seed.
    pub(crate) fn number(self, number: u64) -> Table {
        Table { seed: seed(number), ..self }
    }

    /// With the first seed that leads the bot to such a decision, whatever the bot is: up to there nothing is its choice,
    /// for what it is asked before has one option.
    ///
    /// # Errors
    /// No seed leads there, or the rules are impossible.
    pub(crate) fn leading_to(
        mut self,
        bot: &str,
        wanted: impl Fn(&View<'_>, &[Move]) -> bool,
    ) -> Result<Table, Stop> {
        let rules = self.rules().map_err(Stop::Trouble)?;
        for number in 0..SEEDS {
            self.seed = seed(number);
            if self.leads(rules, bot, &wanted).is_some() {
                return Ok(self);
            }
        }
        Err(Stop::Trouble(format!("no deal of the first {SEEDS} leads {bot} to the situation")))
    }

    /// The match for the service.
    ///
    /// # Errors
    /// The rules are impossible.
    pub(crate) fn config(&self, bot: &str) -> Result<v1::MatchConfig, String> {
        let who = |sits: &Sits| match sits {
            Sits::Bot => Who::Agent(bot.to_owned()),
            Sits::House => Who::House(HOUSE.to_owned()),
        };
        Ok(v1::MatchConfig {
            rules: Some(wire_rules(&self.rules()?)),
            seats: self.seats.iter().map(|sits| v1::SeatSpec { who: Some(who(sits)) }).collect(),
            forced_moves: wire_forced(self.forced).into(),
            seed: self.seed.reveal().to_vec(),
            ..v1::MatchConfig::default()
        })
    }

    fn rules(&self) -> Result<Rules, String> {
        self.options.resolve().map_err(|why| why.to_string())
    }

    /// Some if the bot comes to a wanted decision before its first choice.
    fn leads(&self, rules: Rules, bot: &str, wanted: impl Fn(&View<'_>, &[Move]) -> bool) -> Option<()> {
        let mut events = Vec::new();
        let mut game = Match::start(self.setup(rules, bot), &mut events).ok()?;
        let mut house = by_name(HOUSE, [0; 32])?;
        loop {
            let decision = game.decision()?;
            let (number, seat) = (decision.number, decision.seat);
            let view = game.view()?;
            let choice = if self.seats.get(seat.index()) == Some(&Sits::Bot) {
                let moves: Vec<Move> = view.moves().collect();
                if wanted(&view, &moves) {
                    return Some(());
                }
                let [alone] = moves[..] else { return None };
                alone
            } else {
                house.choose(&view)
            };
            let entry = game.check(number, seat, choice.into()).ok()?;
            events.clear();
            game.commit(entry, &mut events).ok()?;
        }
    }

    fn setup(&self, rules: Rules, bot: &str) -> MatchSetup {
        let name = |sits: &Sits| match sits {
            Sits::Bot => Contributor { name: bot.to_owned(), entropy: Entropy::default() },
            Sits::House => Contributor::house(HOUSE),
        };
        let start = MatchStart::new(rules, DEAL_ID, &self.seed, self.seats.iter().map(name).collect());
        MatchSetup::seeded(start, &self.seed, self.forced)
    }
}

/// The fixed seed of a number.
fn seed(number: u64) -> Seed {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    Seed::new(bytes)
}
