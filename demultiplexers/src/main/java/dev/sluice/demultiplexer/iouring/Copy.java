package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.operation.Copying;

/** Copies a range of a file to another one, for which no kernel has a request. */
final class Copy extends FileRequest<Copying> {

    Copy(Requests requests, Copying arguments) {
        super(requests, arguments);
    }

    @Override
    boolean isForRing() {
        return false;
    }

    @Override
    void perform() {
        throw new IllegalStateException("has no request: " + operation);
    }
}
