use super::Store;
use super::samples::{agent, name};
use crate::{AgentName, AgentRow, Role};

pub async fn agents_are_found_by_name_and_token(store: &impl Store) {
    let admin = AgentRow { role: Role::Admin, ..agent("ann", 1) };
    let nobody = AgentRow { token_hash: None, role: Role::Organiser, ..agent("bob", 0) };
    assert_eq!(store.create_agent(admin.clone(), None).await, Ok(true));
    assert_eq!(store.create_agent(nobody.clone(), None).await, Ok(true));
    assert_eq!(store.create_agent(agent("ann", 3), None).await, Ok(false));
    assert_eq!(store.agent(&name("ann")).await, Ok(Some(admin.clone())));
    assert_eq!(store.agent(&name("bob")).await, Ok(Some(nobody)));
    assert_eq!(store.agent(&name("Ann")).await, Ok(None), "case counts");
    assert_eq!(store.agent_by_token(&[1; 32]).await, Ok(Some(admin)));
    assert_eq!(store.agent_by_token(&[3; 32]).await, Ok(None));
    assert!(store.create_agent(agent("cy", 1), None).await.is_err(), "a token is one agent's");
    assert_eq!(store.agent(&name("cy")).await, Ok(None));
}

pub async fn a_new_token_replaces_the_old_one(store: &impl Store) {
    assert_eq!(store.update_agent(agent("ann", 1), None).await, Ok(false), "nobody is there");
    assert_eq!(store.create_agent(agent("ann", 1), None).await, Ok(true));
    let promoted = AgentRow { role: Role::Organiser, created_ms: 99, ..agent("ann", 2) };
    assert_eq!(store.update_agent(promoted.clone(), None).await, Ok(true));
    let expected = AgentRow { created_ms: 5, ..promoted };
    assert_eq!(store.agent_by_token(&[2; 32]).await, Ok(Some(expected.clone())));
    assert_eq!(store.agent_by_token(&[1; 32]).await, Ok(None));
    let revoked = AgentRow { token_hash: None, ..expected };
    assert_eq!(store.update_agent(revoked.clone(), None).await, Ok(true));
    assert_eq!(store.agent_by_token(&[2; 32]).await, Ok(None));
    assert_eq!(store.agent(&name("ann")).await, Ok(Some(revoked)));
    assert_eq!(store.create_agent(agent("bob", 1), None).await, Ok(true), "the token is free again");
    assert!(store.update_agent(agent("ann", 1), None).await.is_err(), "and is bob's now");
    let bob = store.agent_by_token(&[1; 32]).await.expect("the store works");
    assert_eq!(bob.map(|row| row.name), Some(name("bob")));
}

pub async fn agents_are_paged_by_name(store: &impl Store) {
    let names = ["B", "a", "a-1", "a.1", "a1", "a_1", "b"];
    for (text, token) in names.iter().rev().zip(1..) {
        assert_eq!(store.create_agent(agent(text, token), None).await, Ok(true));
    }
    let mut sorted = names.map(name);
    sorted.sort();
    for limit in [1, 3, 100] {
        let mut found: Vec<AgentName> = Vec::new();
        loop {
            let page = store.agents(found.last(), limit).await.expect("the store works");
            assert!(page.len() <= limit);
            if page.is_empty() {
                break;
            }
            found.extend(page.into_iter().map(|row| row.name));
        }
        assert_eq!(found, sorted);
    }
}
