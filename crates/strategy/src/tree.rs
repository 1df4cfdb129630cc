use chickenfoot_rules::{Move, Seat};

use crate::playout::{Playout, Rewards};

/// The part of the game that a search has come to know: what each choice was worth on all the deals where it was made.
///
/// Information set Monte Carlo tree search with a single observer (Cowling, Powley and Whitehouse 2012): one tree over
/// all deals, in each of which only the moves that are legal there can be chosen. A node stands for a choice; moves
/// without an alternative are made on the way and have none. Each seat takes what is best for itself, by the rule of
/// PUCT (Rosin 2011; Silver et al. 2017): the mean of its rewards, and an allowance for moves that were tried seldom,
/// the larger the more the policy of the playouts thinks of them.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// How many of the nodes are the choices at the root, and how many nodes there may be.
    roots: usize,
    most: usize,
    /// The nodes of the current way down.
    path: Vec<u32>,
    /// The legal moves where the current choice is to be made.
    choices: Vec<Choice>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// Who chose, and what.
    seat: Seat,
    action: Move,
    visits: u32,
    /// The sum of the seat's rewards.
    reward: i64,
    first_child: u32,
    next_sibling: u32,
}

#[derive(Clone, Copy, Debug)]
struct Choice {
    action: Move,
    /// What the policy thinks of it.
    value: i32,
    node: u32,
}

const NO_NODE: u32 = u32::MAX;

/// The allowance for what was tried seldom, in points, shared among the others at the table: the more there are, the
/// less a choice matters.
const CURIOSITY: f64 = 12.0;

/// By how much less a move is worth to the policy, in its sixteenths of a point, to be thought of a quarter as much.
const DOUBT: f64 = 80.0;

impl Tree {
    /// A tree of the choices of `seat`, with room for so many nodes beyond them.
    pub(crate) fn new(seat: Seat, choices: &[Move], room: usize) -> Tree {
        let mut nodes = Vec::with_capacity(choices.len() + room);
        nodes.extend(choices.iter().map(|action| Node::new(seat, *action, NO_NODE)));
        let (roots, most) = (choices.len(), choices.len() + room);
        Tree { nodes, roots, most, path: Vec::with_capacity(256), choices: Vec::with_capacity(256) }
    }

    /// Makes the choice of this number, goes down as far as the tree is known and one node further, and plays to the
    /// end; without room, at once. What each seat has of that is remembered along the way, and returned.
    pub(crate) fn visit<const W: usize>(&mut self, choice: usize, playout: &mut Playout<'_, W>) -> Rewards {
        let mut at = choice as u32;
        self.path.clear();
        self.path.push(at);
        playout.make(self.nodes[choice].action);
        // A tree that cannot grow below its choices has nothing to find there.
        while self.most > self.roots
            && let Some(next) = self.descend(at, playout)
        {
            at = next;
            self.path.push(at);
            if self.nodes[at as usize].visits == 0 {
                break;
            }
        }
        playout.finish();
        let rewards = playout.rewards();
        for at in &self.path {
            let node = &mut self.nodes[*at as usize];
            node.visits += 1;
            node.reward += i64::from(rewards[node.seat.index()]);
        }
        rewards
    }

    /// Goes on to the next choice and makes it; `None` at the end of the round or of the room.
    fn descend<const W: usize>(&mut self, at: u32, playout: &mut Playout<'_, W>) -> Option<u32> {
        while let Some(forced) = playout.forced() {
            playout.make(forced);
        }
        let seat = playout.round().turn();
        self.choices.clear();
        let choices = &mut self.choices;
        playout.weigh(|action, value| choices.push(Choice { action, value, node: NO_NODE }));
        let mut child = self.nodes[at as usize].first_child;
        while child != NO_NODE {
            let node = &self.nodes[child as usize];
            if node.seat == seat
                && let Some(choice) = self.choices.iter_mut().find(|choice| choice.action == node.action)
            {
                choice.node = child;
            }
            child = node.next_sibling;
        }
        let others = f64::from(playout.round().terms().players - 1);
        let choice = self.select(others)?;
        let mut node = choice.node;
        if node == NO_NODE {
            if self.nodes.len() == self.most {
                return None;
            }
            node = self.nodes.len() as u32;
            let parent = &mut self.nodes[at as usize];
            let sibling = std::mem::replace(&mut parent.first_child, node);
            self.nodes.push(Node::new(seat, choice.action, sibling));
        }
        playout.make(choice.action);
        Some(node)
    }

    /// The choice that is to be made next.
    fn select(&self, others: f64) -> Option<Choice> {
        let highest = self.choices.iter().map(|choice| choice.value).max()?;
        let (mut visits, mut reward, mut weights) = (0, 0, 0.0);
        for choice in &self.choices {
            weights += prior(choice.value, highest);
            if let Some(node) = self.nodes.get(choice.node as usize) {
                visits += node.visits;
                reward += node.reward;
            }
        }
        // What was never tried is expected to be worth what the others are.
        let mean = if visits == 0 { 0.0 } else { reward as f64 / (f64::from(visits) * others) };
        let eagerness = CURIOSITY / others * f64::from(visits + 1).sqrt() / weights;
        let score = |choice: &Choice| {
            let (worth, visits) = match self.nodes.get(choice.node as usize) {
                Some(node) if node.visits > 0 => {
                    (node.reward as f64 / (f64::from(node.visits) * others), node.visits)
                }
                _ => (mean, 0),
            };
            worth + eagerness * prior(choice.value, highest) / f64::from(visits + 1)
        };
        let mut best: Option<(f64, Choice)> = None;
        for choice in &self.choices {
            let score = score(choice);
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, *choice));
            }
        }
        best.map(|(_, choice)| choice)
    }
}

impl Node {
    fn new(seat: Seat, action: Move, next_sibling: u32) -> Node {
        Node { seat, action, visits: 0, reward: 0, first_child: NO_NODE, next_sibling }
    }
}

/// How much is thought of a move beside the best one. No exponential, which machines compute differently.
fn prior(value: i32, highest: i32) -> f64 {
    let doubt = 1.0 + (f64::from(highest) - f64::from(value)) / DOUBT;
    1.0 / (doubt * doubt)
}
