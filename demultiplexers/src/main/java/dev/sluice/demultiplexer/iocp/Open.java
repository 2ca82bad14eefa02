package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.DetachableCall;
import dev.sluice.demultiplexer.operation.Opening;
import dev.sluice.demultiplexer.operation.OperationSlot;
import dev.sluice.demultiplexer.operation.PooledCall;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** Opens a file. It may be on another machine that is slow or dead, and so is not waited for once it is cancelled. */
final class Open extends PooledRequest<Opening> {

    Open(IocpDemultiplexer demultiplexer, Opening asked) {
        super(demultiplexer, asked);
    }

    @Override
    PooledCall nextCall() {
        // A new one each time, since the latest may still be in progress.
        return new OpenCall(operation, asked);
    }

    @Override
    protected void performed(long result) {
        outcomes.complete(operation, result, ((OpenCall) pooled()).opened);
    }

    private static final class OpenCall extends DetachableCall {

        private final Path path;
        private final OpenOption[] options;
        private FileHandle opened;

        OpenCall(OperationSlot operation, Opening asked) {
            super(operation);
            path = asked.path();
            options = asked.options();
        }

        @Override
        protected long make() {
            try {
                opened = FileHandle.open(path, options);
                return 0;
            } catch (SystemCallException e) {
                Errno error = Errno.valueOf(e.errorName());
                return -(error == Errno.UNKNOWN ? Errno.EIO : error).number();
            } catch (IOException e) {
                return -Errno.EIO.number();
            }
        }

        @Override
        protected void giveBack(long got) {
            if (opened != null) {
                opened.close();
            }
        }
    }
}
