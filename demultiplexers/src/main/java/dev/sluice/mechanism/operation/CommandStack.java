package dev.sluice.mechanism.operation;

import dev.sluice.failure.Failures;
import java.util.concurrent.atomic.AtomicReference;

/** Commands from many threads to one, linked to one another: no allocation, no lock. */
final class CommandStack {

    private static final Command CLOSED = new Command() {
        @Override
        void perform() {
            throw new IllegalStateException("closed");
        }
    };

    private final AtomicReference<Command> top = new AtomicReference<>();

    /** {@return whether it will be performed; false after {@link #close()}} */
    boolean push(Command command) {
        Command before;
        do {
            before = top.get();
            if (before == CLOSED) {
                return false;
            }
            command.next = before;
        } while (!top.compareAndSet(before, command));
        return true;
    }

    boolean isEmpty() {
        return top.get() == null;
    }

    /** Performs what is there, in the order it was pushed. */
    void performAll() {
        // Looking first spares the loop a write to a shared cache line in every turn.
        if (top.get() != null) {
            perform(inOrder(top.getAndSet(null)));
        }
    }

    /** Accepts no more, and performs what is there. */
    void close() {
        Command last = top.getAndSet(CLOSED);
        if (last != CLOSED) {
            perform(inOrder(last));
        }
    }

    private static Command inOrder(Command last) {
        Command first = null;
        Command command = last;
        while (command != null) {
            Command before = command.next;
            command.next = first;
            first = command;
            command = before;
        }
        return first;
    }

    private static void perform(Command first) {
        Failures failures = null;
        Command command = first;
        while (command != null) {
            // Once performed, it may be pushed again.
            Command following = command.next;
            command.next = null;
            try {
                command.perform();
            } catch (RuntimeException | Error e) {
                // The others come from threads that have nothing to do with the failure.
                failures = Failures.and(failures, e);
            }
            command = following;
        }
        if (failures != null) {
            failures.throwKept();
        }
    }
}
