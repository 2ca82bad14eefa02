package dev.sluice.demultiplexer.operation;

import dev.sluice.failure.Failures;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A linked list of commands of many threads for one thread, without allocation or locks. */
final class CommandStack {

    private static final Command CLOSED = new Command() {
        @Override
        void perform() {
            throw new IllegalStateException("closed");
        }
    };

    final AtomicReference<Command> top = new AtomicReference<>();
    /** The commands to perform, in order; null unless they are being performed, or could not be performed. */
    @Nullable Command deferred;

    /** {@return whether the command will be performed; false after {@link #close}} */
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
     * Performs all commands in the order in which they were pushed. A command for which there is no memory or stack,
     * and those after it, stay for the next call.
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
     * Performs all commands, and accepts no more.
     *
     * @param failures receives the exceptions of commands, except for a lack of memory or stack: that is thrown, and
     *                 commands are still accepted
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

    private void append(@Nullable Command pushed) {
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

    private static @Nullable Command inOrder(@Nullable Command last) {
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
            // Unlinked first: when it is performed, it may be pushed again.
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
                // The other commands come from threads that are not concerned by the failure.
                failure = Failures.and(failure, e);
            }
        }
        Failures.throwFirst(failure);
    }
}
