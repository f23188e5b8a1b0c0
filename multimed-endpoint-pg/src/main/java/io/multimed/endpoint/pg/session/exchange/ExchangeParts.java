package io.multimed.endpoint.pg.session.exchange;

/**
 * The parts of a session that deal with the engine whose connection it holds, and with the session's waits.
 *
 * @param instructions sends Multimed's own statements to the engine
 * @param engine the waits for the engine
 * @param partial passes on messages that have not arrived completely
 * @param failing makes the engine fail
 */
public record ExchangeParts(
        Exchange exchange,
        Waiting waiting,
        Instructions instructions,
        AwaitingEngine engine,
        PartialMessage partial,
        Failing failing) {
    public static ExchangeParts of(SessionContext session) {
        Exchange exchange = new Exchange(session);
        Waiting waiting = new Waiting(session.loop().loop());
        Instructions instructions = new Instructions(exchange);
        AwaitingEngine engine = new AwaitingEngine(session.owner(), exchange, instructions, waiting);
        PartialMessage partial = new PartialMessage(exchange, engine);
        return new ExchangeParts(exchange, waiting, instructions, engine, partial, new Failing(exchange, partial));
    }
}
