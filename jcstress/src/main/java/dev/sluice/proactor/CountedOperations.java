package dev.sluice.proactor;

import dev.sluice.demultiplexer.Association;
import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.Completions;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.demultiplexer.Operation;
import dev.sluice.handle.Handle;

/** Makes operations that nobody executes. */
final class CountedOperations implements AsynchronousEventDemultiplexer {

    static Initiation initiation() {
        return new Initiation(new CountedOperations(), 0);
    }

    static CountedOperation of(Initiation initiation) {
        return (CountedOperation) initiation.operation();
    }

    @Override
    public Operation newOperation(Object attachment) {
        return new CountedOperation(attachment);
    }

    @Override
    public String name() {
        return "none";
    }

    @Override
    public HandleSetKind handleSetKind() {
        return HandleSetKind.ITERATIVE;
    }

    @Override
    public Completions newCompletions(int capacity) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Association associate(Handle handle) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int awaitCompletions(Completions completions, long timeoutNanos) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void wakeUp() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void shutdown() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int inFlight() {
        return 0;
    }

    @Override
    public void close() {
        // It has nothing.
    }
}
