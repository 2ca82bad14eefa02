package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.CachedFile;
import dev.sluice.demultiplexer.operation.CachedTransfers;
import dev.sluice.demultiplexer.operation.Transfer;

/** Reads from a file at a position, or writes to it, at a position or at the end. */
final class FileTransfer extends PooledAttempt<Transfer> {

    private final boolean writes;

    FileTransfer(Emulation emulation, Transfer arguments, boolean writes) {
        super(emulation, arguments, emulation.files);
        this.writes = writes;
    }

    /** {@inheritDoc} Attempts it without the pool first, as far as the cache serves it. */
    @Override
    protected void begin() {
        CachedTransfers cached = emulation.cached;
        CachedFile file = association().cachedFile(cached);
        long result;
        do {
            result = writes ? cached.write(arguments, file, descriptor()) : cached.read(arguments, file, descriptor());
            if (result == CachedTransfers.NOT_MADE) {
                super.begin();
                return;
            }
        } while (outcomes.hasMore(operation, result));
    }

    @Override
    long call() {
        return arguments.makeCall();
    }
}
