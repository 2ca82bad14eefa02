package dev.sluice.demultiplexer.iouring;

import dev.sluice.demultiplexer.operation.CachedFile;
import dev.sluice.demultiplexer.operation.CachedTransfers;
import dev.sluice.demultiplexer.operation.Transfer;

/** Reads from a file or writes to one. */
final class FileTransfer extends FileRequest<Transfer> {

    private final TransferRequest request = new TransferRequest(this, arguments);

    FileTransfer(Requests requests, Transfer arguments) {
        super(requests, arguments);
    }

    /** {@inheritDoc} First makes calls for what the cache takes, because the kernel would hand that to a thread. */
    @Override
    boolean prepare() {
        CachedTransfers cached = requests.cached;
        requests.servesFiles = true;
        CachedFile file = ((IoUringAssociation) operation.handleAssociation()).cachedFile(cached);
        long result;
        do {
            result = arguments.isOutput() ? cached.write(arguments, file, descriptor())
                    : cached.read(arguments, file, descriptor());
            if (result == CachedTransfers.NOT_MADE) {
                return super.prepare();
            }
        } while (outcomes.hasMore(operation, result));
        return false;
    }

    @Override
    void perform() {
        request.set(memory());
    }

    @Override
    void complete(int result, int flags) {
        if (request.isRefused(result)) {
            resume();
        } else {
            super.complete(result, flags);
        }
    }
}
