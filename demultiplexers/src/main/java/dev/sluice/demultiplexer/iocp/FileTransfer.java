package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Errno;
import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.operation.Transfer;

/** Reads from a file or writes to one: element by element, since a call takes one buffer. */
abstract class FileTransfer extends OverlappedRequest {

    private final Transfer asked;
    /** The element of the vector that the current call moves. */
    private int element;
    /** How many bytes the elements before it have moved. */
    private long movedBefore;

    FileTransfer(OverlappedCalls calls, Transfer asked) {
        super(calls, asked);
        this.asked = asked;
    }

    @Override
    final void reset() {
        super.reset();
        element = 0;
        movedBefore = 0;
    }

    @Override
    final boolean maySkipPackets() {
        return true;
    }

    @Override
    final long position() {
        return asked.nextPosition() + movedBefore;
    }

    @Override
    final long perform() {
        return outcome(move(asked.isVectored() ? elementAddress(element) : asked.address(), length()));
    }

    /** Moves bytes between an address and the file, at the position given in the operation's block. */
    abstract int move(long address, int length);

    /** {@return how many bytes the current call should move} */
    private int length() {
        return asked.isVectored() ? elementLength(element) : asked.length();
    }

    @Override
    final boolean complete(long result) {
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
    long failure(int result) {
        // The file was not opened for that.
        return result == -WindowsError.ERROR_ACCESS_DENIED ? -Errno.EBADF.number() : super.failure(result);
    }
}
