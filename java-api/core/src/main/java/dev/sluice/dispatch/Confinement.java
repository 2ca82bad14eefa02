package dev.sluice.dispatch;

import java.io.IOException;

/** Which thread may use a {@link HandlerTable} that has no lock: the loop thread, once there is one. */
public interface Confinement {

    /** {@return whether the caller is the only one who can use the table; for assertions} */
    boolean isConfined();

    /** {@return whether the caller may use the table at once, since it is inside the loop} */
    boolean isInside();

    /** Makes a change at once if the caller may, and otherwise has the loop thread make it. */
    void performOrEnqueue(Runnable change);

    /**
     * Makes a change at once if the caller may.
     *
     * @return whether it was made
     * @throws IOException what the change threw
     */
    boolean perform(Change change) throws IOException;

    /** A change that may fail. */
    @FunctionalInterface
    interface Change {

        void make() throws IOException;
    }
}
