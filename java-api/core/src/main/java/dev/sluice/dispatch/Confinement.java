package dev.sluice.dispatch;

import java.io.IOException;

/**
 * The rule that determines which thread may use a {@link HandlerTable} without a lock: the loop thread, if there is
 * one.
 */
public interface Confinement {

    /** {@return whether the caller is the only thread that can use the table; for assertions} */
    boolean isConfined();

    /** {@return whether the caller may use the table, because it is inside the loop} */
    boolean isInside();

    /** Makes a change immediately if the caller may, and otherwise enqueues it for the loop thread. */
    void performOrEnqueue(Runnable change);

    /**
     * Makes a change if the caller may.
     *
     * @return whether it was made
     * @throws IOException if the change throws it
     */
    boolean perform(Change change) throws IOException;

    /** A change that may fail. */
    @FunctionalInterface
    interface Change {

        void make() throws IOException;
    }
}
