use chickenfoot_protocol::v1::{self, session_request::What as Up, session_response::What as Down};

/// What the recorded client answers: mostly the first option, by its position and by the move in turn. The first decision
/// gets an answer that is none first, and one of the later ones a second answer.
#[derive(Default)]
pub(super) struct Player {
    decisions: Vec<v1::Decision>,
    repeated: bool,
}

impl Player {
    pub(super) fn answer(&mut self, what: Down) -> Vec<Up> {
        match what {
            Down::SeatOffer(offer) => {
                let match_id = offer.r#match.map(|game| game.id).unwrap_or_default();
                vec![Up::OfferReply(v1::OfferReply { match_id, accept: true, entropy: Vec::new() })]
            }
            Down::Decision(decision) => self.decide(decision),
            Down::Refusal(refusal) if refusal.reason == "OPTION_OUT_OF_RANGE" => {
                let refused = |decision: &&v1::Decision| {
                    (&decision.match_id, decision.number) == (&refusal.match_id, refusal.decision)
                };
                self.decisions
                    .iter()
                    .find(refused)
                    .map(|decision| by_position(decision, 0))
                    .into_iter()
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    fn decide(&mut self, decision: v1::Decision) -> Vec<Up> {
        let mut ups = Vec::new();
        let before = self.decisions.iter().rfind(|before| before.match_id == decision.match_id);
        if let Some(before) = before.filter(|_| !self.repeated) {
            ups.push(by_position(before, 1));
            self.repeated = true;
        }
        ups.push(match self.decisions.len() {
            0 => by_position(&decision, 99),
            count if count % 2 == 0 => by_position(&decision, 0),
            _ => {
                let first = decision.options.first().cloned().unwrap_or_default();
                choice(&decision, v1::choice::Choice::Move(first))
            }
        });
        self.decisions.push(decision);
        ups
    }
}

fn by_position(decision: &v1::Decision, option: u32) -> Up {
    choice(decision, v1::choice::Choice::Option(option))
}

fn choice(decision: &v1::Decision, choice: v1::choice::Choice) -> Up {
    Up::Choice(v1::Choice {
        match_id: decision.match_id.clone(),
        decision: decision.number,
        choice: Some(choice),
    })
}
