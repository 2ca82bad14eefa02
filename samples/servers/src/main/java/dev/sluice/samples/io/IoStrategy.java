package dev.sluice.samples.io;

import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.conversation.ConcurrencyStrategy.Waits;
import java.util.Locale;

/** The I/O strategy: how octets are moved. */
public enum IoStrategy {
    /** The thread that finds a socket ready moves them itself. */
    REACTIVE(Waits.IN_REACTOR, ConcurrencyStrategy.REACTOR_PER_THREAD),
    /** A Proactor's operations move them, and the thread that takes the completion proceeds. */
    PROACTIVE(Waits.IN_PROACTOR, ConcurrencyStrategy.PROACTOR_PER_THREAD),
    /** A thread moves them itself, and waits for its one socket in between. */
    SYNCHRONOUS(Waits.IN_KERNEL, ConcurrencyStrategy.THREAD_PER_CONNECTION);

    private final Waits waits;
    private final ConcurrencyStrategy usual;

    IoStrategy(Waits waits, ConcurrencyStrategy usual) {
        this.waits = waits;
        this.usual = usual;
    }

    /** {@return that of a concurrency strategy} */
    static IoStrategy of(ConcurrencyStrategy concurrency) {
        for (IoStrategy each : values()) {
            if (each.waits == concurrency.waits()) {
                return each;
            }
        }
        throw new AssertionError(concurrency);
    }

    /** {@return the concurrency strategy that goes with it unless another one is chosen} */
    public ConcurrencyStrategy usual() {
        return usual;
    }

    /** {@return the name on command lines} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
