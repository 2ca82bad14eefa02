package dev.sluice.demultiplexer.operation;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Cancels an operation inside, on behalf of another thread. */
final class CancelCommand extends Command {

    private final OperationProcessor processor;
    private final OperationSlot operation;
    private final AtomicLong ticket = new AtomicLong();
    private final AtomicBoolean commanded = new AtomicBoolean();

    CancelCommand(OperationProcessor processor, OperationSlot operation) {
        this.processor = processor;
        this.operation = operation;
    }

    /** Called by any thread. */
    void leave(long newTicket) {
        // The latest start that is to be cancelled, since another thread may have seen, and cancelled, a later one.
        ticket.accumulateAndGet(newTicket, Math::max);
        if (commanded.compareAndSet(false, true)) {
            processor.command(this);
        }
    }

    @Override
    void perform() {
        commanded.set(false);
        operation.cancelInside(ticket.get());
    }

    @Override
    boolean repeats() {
        return commanded.compareAndSet(false, true);
    }
}
