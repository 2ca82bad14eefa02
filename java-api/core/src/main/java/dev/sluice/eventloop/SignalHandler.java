package dev.sluice.eventloop;

/** Called for operating system signals that the process receives. */
@FunctionalInterface
public interface SignalHandler {

    /**
     * Called when the process has received a signal, by the loop thread, or as a task of a loop that many threads run,
     * or by any thread of a Leader/Followers pool.
     *
     * @param signal the signal
     * @throws Exception if it fails; the handler stays registered
     */
    void handleSignal(OsSignal signal) throws Exception;
}
