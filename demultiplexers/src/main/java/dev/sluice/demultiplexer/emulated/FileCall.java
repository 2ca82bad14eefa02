package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Arguments;

/** Makes the blocking call of an operation on a file or on names. */
final class FileCall extends PooledAttempt<Arguments> {

    FileCall(Emulation emulation, Arguments arguments) {
        super(emulation, arguments, emulation.files);
    }

    @Override
    long call() {
        return arguments.makeCall();
    }

    @Override
    protected void performed(long result) {
        outcomes.complete(operation, result, arguments.takeResource());
    }
}
