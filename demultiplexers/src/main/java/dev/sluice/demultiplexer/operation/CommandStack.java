package dev.sluice.demultiplexer.operation;

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

    final AtomicReference<Command> top = new AtomicReference<>();
    /** In the order in which they are to be performed; null unless they are being performed, or could not be. */
    Command deferred;

    /** {@return whether it will be performed; false after {@link #close}} */
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
        Command pushed = top.get();
        return pushed == null || pushed == CLOSED;
    }

    /**
     * Performs what is there, in the order it was pushed. One for which there is no memory or stack, and those after
     * it, are left for the next call.
     */
    void performAll() {
        if (!isEmpty()) {
            append(inOrder(top.getAndSet(null)));
        }
        if (deferred != null) {
            perform();
        }
    }

    /**
     * Performs what is there, and accepts no more.
     *
     * @param failures takes what they throw, unless it is for lack of memory or stack: that is thrown, and more is
     *                 accepted
     */
    void close(Failures failures) {
        while (top.get() != CLOSED) {
            try {
                performAll();
            } catch (RuntimeException | Error e) {
                if (deferred != null) {
                    throw e;
                }
                failures.add(e);
            }
            top.compareAndSet(null, CLOSED);
        }
    }

    private void append(Command pushed) {
        if (deferred == null) {
            deferred = pushed;
        } else {
            Command last = deferred;
            while (last.next != null) {
                last = last.next;
            }
            last.next = pushed;
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

    private void perform() {
        Throwable failure = null;
        while (deferred != null) {
            Command command = deferred;
            // Once performed, it may be pushed again.
            deferred = command.next;
            command.next = null;
            try {
                command.perform();
            } catch (RuntimeException | Error e) {
                if (Failures.isShortage(e)) {
                    if (command.repeats()) {
                        command.next = deferred;
                        deferred = command;
                    }
                    throw e;
                }
                // The others come from threads that have nothing to do with the failure.
                failure = Failures.and(failure, e);
            }
        }
        Failures.throwFirst(failure);
    }
}
