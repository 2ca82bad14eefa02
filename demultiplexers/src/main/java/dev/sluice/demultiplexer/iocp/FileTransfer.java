package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.demultiplexer.operation.Transfer;

/**
 * Reads from a file or writes to one, at a position: element by element, since a call takes one buffer. Windows reports
 * the end of the file as an error.
 */
final class FileTransfer extends OverlappedRequest<Transfer> {

    private final boolean writes;
    /** The element of the vector that the current call moves. */
    private int element;
    /** Number of bytes that the elements before it have moved. */
    private long movedBefore;

    FileTransfer(IocpDemultiplexer demultiplexer, Transfer asked, boolean writes) {
        super(demultiplexer, asked);
        this.writes = writes;
    }

    @Override
    void reset() {
        super.reset();
        element = 0;
        movedBefore = 0;
    }

    @Override
    boolean maySkipPackets() {
        return true;
    }

    @Override
    long position() {
        return asked.nextPosition() + movedBefore;
    }

    @Override
    long perform() {
        return outcome(move(asked.isVectored() ? elementAddress(element) : asked.address(), length()));
    }

    /** Moves bytes between an address and the file, at the position given in the operation's block. */
    private int move(long address, int length) {
        return writes
                ? windows().WriteFile(descriptor(), address, length, block().transferredAddress(), block().address())
                : windows().ReadFile(descriptor(), address, length, block().transferredAddress(), block().address());
    }

    /** {@return the number of bytes that the current call should move} */
    private int length() {
        return asked.isVectored() ? elementLength(element) : asked.length();
    }

    @Override
    boolean complete(long result) {
        boolean full = result == length();
        // What has already been moved counts; the error will come again with the next call.
        long sum = movedBefore + (result < 0 && movedBefore > 0 ? 0 : result);
        if (full && ++element < memory().vectorCount()) {
            movedBefore = sum;
            return true;
        }
        reset();
        return super.complete(sum);
    }

    @Override
    long result(long transferred) {
        return block().status() == Win32Constants.STATUS_END_OF_FILE ? 0 : super.result(transferred);
    }

    @Override
    long failure(int result) {
        return switch (-result) {
            case WindowsError.ERROR_HANDLE_EOF -> 0;
            // The file was not opened for that.
            case WindowsError.ERROR_ACCESS_DENIED -> -Errno.EBADF.number();
            default -> super.failure(result);
        };
    }
}
