package dev.sluice.eventloop;

/** Is told of signals that the process receives. */
@FunctionalInterface
public interface SignalHandler {

    /**
     * The process has received a signal. Called by the loop thread, or as a task of a loop that many
     * threads run, or by any thread of a Leader/Followers pool.
     *
     * @param signal which one
     * @throws Exception whatever goes wrong; the handler stays registered
     */
    void handleSignal(OsSignal signal) throws Exception;
}
