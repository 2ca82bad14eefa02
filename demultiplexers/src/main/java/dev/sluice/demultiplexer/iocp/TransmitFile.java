package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.TransmitFileBuffers;
import dev.sluice.demultiplexer.operation.Transmission;

/** Sends a part of a file, and what comes before and after it: with one call, or if it is too much, step by step. */
final class TransmitFile extends OverlappedRequest<Transmission> {

    /** The most that {@code TransmitFile} takes in one call, of all parts together. */
    private static final long MAX_PER_CALL = Integer.MAX_VALUE - 1;
    private static final long NO_FILE = 0;

    /** Number of bytes that the latest call may send. */
    private int most;

    TransmitFile(IocpDemultiplexer demultiplexer, Transmission asked) {
        super(demultiplexer, asked);
    }

    @Override
    long position() {
        return asked.filePosition();
    }

    @Override
    long perform() {
        long available = asked.fileLeft() == 0 ? 0 : available();
        if (available < 0) {
            return available;
        }
        long room = MAX_PER_CALL;
        int head = (int) Math.min(asked.headLeft(), room);
        room -= head;
        int file = (int) Math.min(Math.min(asked.fileLeft(), available), room);
        room -= file;
        int tail = file == asked.fileLeft() ? (int) Math.min(asked.tailLeft(), room) : 0;
        if (head + file + tail == 0) {
            return 0;
        }
        most = head + file + tail;
        return transmit(head, file, tail);
    }

    /** {@return how much the file has, or a negated error number} */
    private long available() {
        int result = windows().GetFileSizeEx(asked.fileDescriptor(), memory().structureAddress());
        if (result < 0) {
            return WindowsError.toErrno(result);
        }
        return Math.max(0, memory().structure().getLong(memory().structureAt()) - asked.filePosition());
    }

    private long transmit(int head, int file, int tail) {
        long buffers = 0;
        if (head + tail > 0) {
            TransmitFileBuffers.set(memory().structure(), memory().structureAt(), asked.headAddress(), head,
                    asked.tailAddress(), tail);
            buffers = memory().structureAddress();
        }
        // For a file, the count 0 would mean all of it.
        long outcome = outcome(windows().TransmitFile(extensions().transmitFile(),
                descriptor(), file == 0 ? NO_FILE : asked.fileDescriptor(), file, 0,
                block().address(), buffers, 0));
        return outcome == 0 ? block().transferredAsKept() : outcome;
    }

    @Override
    long result(long transferred) {
        long result = super.result(transferred);
        if (result < 0) {
            // What was sent before the failure counts.
            asked.moved(Math.min(transferred, most));
        }
        return result;
    }

    @Override
    boolean complete(long result) {
        if (result < 0) {
            return finish(result);
        }
        asked.moved(result);
        return result > 0 && !asked.areSent() || finish(asked.done());
    }
}
