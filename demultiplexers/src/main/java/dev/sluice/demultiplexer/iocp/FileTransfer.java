package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.demultiplexer.operation.Transfer;

/**
 * Reads from a file or writes to one, at a position; several buffers one at a time, because a call takes one. Windows
 * reports the end of the file as an error.
 */
class FileTransfer extends OverlappedRequest<Transfer> {

    private final boolean writes;
    /** The element of the vector that the current call moves. */
    private int element;
    /** The number of bytes that previous elements have moved. */
    private long movedBefore;

    FileTransfer(IocpDemultiplexer demultiplexer, Transfer arguments, boolean writes) {
        super(demultiplexer, arguments);
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
        return arguments.nextPosition() + movedBefore;
    }

    @Override
    long perform() {
        return outcome(move(arguments.isVectored() ? elementAddress(element) : arguments.address(), length()));
    }

    /** Moves bytes between an address and the file, at the position in the operation's block. */
    private int move(long address, int length) {
        return writes
                ? windows().WriteFile(descriptor(), address, length, block().transferredAddress(), block().address())
                : windows().ReadFile(descriptor(), address, length, block().transferredAddress(), block().address());
    }

    /** {@return the number of bytes that the current call is given} */
    private int length() {
        return arguments.isVectored() ? elementLength(element) : arguments.length();
    }

    @Override
    boolean complete(long result) {
        boolean full = result == length();
        // Bytes that have been moved count; the next operation gets the error again.
        long sum = movedBefore + (result < 0 && movedBefore > 0 ? 0 : result);
        if (full && ++element < memory().vectorCount()) {
            movedBefore = sum;
            return true;
        }
        reset();
        return moved(sum);
    }

    /**
     * Handles the result of calls that have moved as many bytes as they were given, or fewer.
     *
     * @return whether another call is needed
     */
    boolean moved(long result) {
        return super.complete(result);
    }

    @Override
    long result(long transferred) {
        return block().status() == Win32Constants.STATUS_END_OF_FILE ? 0 : super.result(transferred);
    }

    @Override
    long failure(int result) {
        return switch (-result) {
            case WindowsError.ERROR_HANDLE_EOF -> 0;
            // The file has not been opened for this access.
            case WindowsError.ERROR_ACCESS_DENIED -> -Errno.EBADF.number();
            default -> super.failure(result);
        };
    }
}
