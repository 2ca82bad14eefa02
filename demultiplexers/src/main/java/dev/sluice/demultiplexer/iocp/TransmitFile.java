package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.TransmitFileBuffers;
import dev.sluice.demultiplexer.operation.Transmission;

/** Sends a part of a file with a head and a tail, by one call, or by several if they are too long. */
final class TransmitFile extends OverlappedRequest<Transmission> {

    /** The maximum number of bytes of all parts together in one call of {@code TransmitFile}. */
    private static final long MAX_PER_CALL = Integer.MAX_VALUE - 1;
    private static final long NO_FILE = 0;

    /** The number of bytes that the latest call was given. */
    private int maxSent;

    TransmitFile(IocpDemultiplexer demultiplexer, Transmission arguments) {
        super(demultiplexer, arguments);
    }

    @Override
    long position() {
        return arguments.filePosition();
    }

    @Override
    long perform() {
        long available = arguments.fileLeft() == 0 ? 0 : available();
        if (available < 0) {
            return available;
        }
        long space = MAX_PER_CALL;
        int head = (int) Math.min(arguments.headLeft(), space);
        space -= head;
        int file = (int) Math.min(Math.min(arguments.fileLeft(), available), space);
        space -= file;
        int tail = file == arguments.fileLeft() ? (int) Math.min(arguments.tailLeft(), space) : 0;
        if (head + file + tail == 0) {
            return 0;
        }
        maxSent = head + file + tail;
        return transmit(head, file, tail);
    }

    /** {@return the number of bytes in the file from the current position on, or a negated error number} */
    private long available() {
        int result = windows().GetFileSizeEx(arguments.fileDescriptor(), memory().structureAddress());
        if (result < 0) {
            return WindowsError.toErrno(result);
        }
        return Math.max(0, memory().structure().getLong(memory().structureAt()) - arguments.filePosition());
    }

    private long transmit(int head, int file, int tail) {
        long buffers = 0;
        if (head + tail > 0) {
            TransmitFileBuffers.set(memory().structure(), memory().structureAt(), arguments.headAddress(), head,
                    arguments.tailAddress(), tail);
            buffers = memory().structureAddress();
        }
        // For a file, a count of 0 would mean the whole file.
        long outcome = outcome(windows().TransmitFile(extensions().transmitFile(),
                descriptor(), file == 0 ? NO_FILE : arguments.fileDescriptor(), file, 0,
                block().address(), buffers, 0));
        return outcome == 0 ? block().transferredAsKept() : outcome;
    }

    @Override
    long result(long transferred) {
        long result = super.result(transferred);
        if (result < 0) {
            // Bytes that were sent before the failure count.
            arguments.moved(Math.min(transferred, maxSent));
        }
        return result;
    }

    @Override
    boolean complete(long result) {
        if (result < 0) {
            return finish(result);
        }
        arguments.moved(result);
        return result > 0 && !arguments.allSent() || finish(arguments.done());
    }
}
