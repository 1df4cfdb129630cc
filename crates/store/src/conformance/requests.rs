use super::Store;
use super::samples::{agent, answered, open};
use crate::{Remembered, Updated};

pub async fn an_answer_is_stored_with_what_it_is_about(store: &impl Store) {
    let recalled = async |id: u8| store.recall(&answered(id, 1).key).await.expect("the store works");
    store.create(open(1), Some(answered(1, 1))).await.expect("the store works");
    assert_eq!(recalled(1).await, Some(answered(1, 1)));
    let done = store.update(open(1), Some(answered(2, 1))).await;
    assert_eq!((done, recalled(2).await), (Ok(Updated::Done), Some(answered(2, 1))));
    let done = store.create_agent(agent("ann", 1), Some(answered(3, 1))).await;
    assert_eq!((done, recalled(3).await), (Ok(true), Some(answered(3, 1))));
    let done = store.create_agent(agent("ann", 2), Some(answered(4, 1))).await;
    assert_eq!((done, recalled(4).await), (Ok(false), None), "the name was taken");
    let done = store.update_agent(agent("ann", 2), Some(answered(5, 1))).await;
    assert_eq!((done, recalled(5).await), (Ok(true), Some(answered(5, 1))));
    let done = store.update_agent(agent("nobody", 3), Some(answered(6, 1))).await;
    assert_eq!((done, recalled(6).await), (Ok(false), None), "there is no such agent");
    let mut other = answered(1, 1).key;
    other.method = "JoinMatch";
    assert_eq!(store.recall(&other).await, Ok(None));
    let mut other = answered(1, 1).key;
    other.caller = String::new();
    assert_eq!(store.recall(&other).await, Ok(None));
}

pub async fn the_first_answer_stays_until_it_is_forgotten(store: &impl Store) {
    store.remember(answered(1, 10)).await.expect("the store works");
    let second = Remembered { answer: vec![0], ..answered(1, 30) };
    store.remember(second.clone()).await.expect("the store works");
    store.remember(answered(2, 20)).await.expect("the store works");
    assert_eq!(store.recall(&second.key).await, Ok(Some(answered(1, 10))));
    store.forget(10).await.expect("the store works");
    assert_eq!(store.recall(&second.key).await, Ok(Some(answered(1, 10))));
    store.forget(20).await.expect("the store works");
    assert_eq!(store.recall(&second.key).await, Ok(None));
    assert_eq!(store.recall(&answered(2, 20).key).await, Ok(Some(answered(2, 20))));
    store.remember(second.clone()).await.expect("the store works");
    assert_eq!(store.recall(&second.key).await, Ok(Some(second)));
}
