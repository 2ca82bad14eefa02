package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.spi.Descriptor;
import dev.sluice.handle.spi.Descriptors;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A part of a file to send, with a head and a tail to send before and after it. The number of bytes that have been sent
 * determines which of them is next; the tail follows only if the whole part of the file has been sent. The file is held
 * open.
 */
public final class Transmission extends Arguments {

    private @Nullable FileHandle file;
    private long bytes;
    private final NativeBytes head;
    private final NativeBytes tail;
    private long done;
    private long fileDescriptor;
    private boolean holdsFile;

    Transmission(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.OUTPUT);
        this.head = new NativeBytes(operation.processor);
        this.tail = new NativeBytes(operation.processor);
    }

    void set(FileHandle newFile, long from, long number, @Nullable ByteBuffer newHead, @Nullable ByteBuffer newTail) {
        file = newFile;
        position = from;
        bytes = number;
        head.set(newHead);
        tail.set(newTail);
    }

    @Override
    void check() {
        Objects.requireNonNull(file, "file");
        requireNotNegative(position, "position");
        requireNotNegative(bytes, "bytes");
        if (head.isSameAs(tail)) {
            throw new IllegalArgumentException("one buffer cannot be both head and tail");
        }
        head.check();
        tail.check();
    }

    @Override
    long prepare() {
        try {
            fileDescriptor = Descriptors.of(openFile().handle()).acquire();
            holdsFile = true;
        } catch (HandleClosedException e) {
            return -Errno.EBADF.number();
        }
        head.take();
        tail.take();
        return allSent() ? 0 : NEEDS_CALL;
    }

    private FileHandle openFile() {
        assert file != null;
        return file;
    }

    @Override
    boolean continuesStream() {
        return true;
    }

    /** {@return the descriptor of the file} */
    public long fileDescriptor() {
        return fileDescriptor;
    }

    /** {@return whether the file was opened so that its transfers bypass the system's cache, or leave nothing in it} */
    boolean bypassesCache() {
        Descriptor held = Descriptors.of(openFile().handle());
        return held.alignment() != null || held.transfers().hasFlags();
    }

    // Progress

    @Override
    public long done() {
        return done;
    }

    @Override
    public boolean moved(long number) {
        done += number;
        return false;
    }

    /** {@return the number of bytes of the head that have not been sent} */
    public int headLeft() {
        return (int) Math.max(0, head.length() - done);
    }

    /** {@return the address of the first of these bytes} */
    public long headAddress() {
        return head.address() + head.length() - headLeft();
    }

    /** {@return the number of bytes of the file and the tail that have been sent} */
    private long behindHead() {
        return Math.max(0, done - head.length());
    }

    private long fileDone() {
        return Math.min(behindHead(), bytes);
    }

    /** {@return the number of bytes of the file that have not been sent} */
    public long fileLeft() {
        return bytes - fileDone();
    }

    /** {@return the position in the file of the first of these bytes} */
    public long filePosition() {
        return position + fileDone();
    }

    /**
     * {@return the number of bytes of the file to send next} The system refuses a range that ends beyond the largest
     * number.
     *
     * @param max the maximum number of bytes
     */
    public int nextOfFile(int max) {
        return (int) Math.min(Math.min(fileLeft(), max), Long.MAX_VALUE - filePosition());
    }

    /**
     * Reads bytes of the file that have not been sent. Called by a thread of a pool.
     *
     * @param address where to store them
     * @param number  the maximum number of bytes
     * @return the number of bytes read, 0 at the end of the file, or a negated error number
     */
    public long read(long address, long number) {
        return Descriptors.of(openFile().handle()).system().read(fileDescriptor, address, number, filePosition());
    }

    private int tailDone() {
        return (int) (behindHead() - fileDone());
    }

    /** {@return the number of bytes of the tail that have not been sent} */
    public int tailLeft() {
        return tail.length() - tailDone();
    }

    /** {@return the address of the first of these bytes} */
    public long tailAddress() {
        return tail.address() + tailDone();
    }

    /** {@return whether the head, the file and the tail have been sent} */
    public boolean allSent() {
        return headLeft() == 0 && fileLeft() == 0 && tailLeft() == 0;
    }

    /**
     * Prepares a message of the rest of the head, bytes of the file, and the tail if these bytes are the last of the
     * file.
     *
     * @param fileBytes the address of the bytes of the file
     * @param number    the number of these bytes
     * @return the length of the message in bytes
     */
    public long prepareMessage(long fileBytes, int number) {
        memory.clearVector();
        long sum = addPart(headAddress(), headLeft()) + addPart(fileBytes, number);
        if (number == fileLeft()) {
            sum += addPart(tailAddress(), tailLeft());
        }
        memory.endMessage(0);
        return sum;
    }

    private int addPart(long at, int number) {
        if (number > 0) {
            memory.addElement(at, number);
        }
        return number;
    }

    // The end

    @Override
    void takeOver(long result) {
        head.advance(head.length() - headLeft());
        tail.advance(tailDone());
    }

    @Override
    void release() {
        // Here, because the next start may be cancelled before it is prepared.
        done = 0;
        head.release();
        tail.release();
        if (holdsFile) {
            holdsFile = false;
            Descriptors.of(openFile().handle()).release();
        }
    }

    @Override
    void addMemory(List<Object> touched) {
        head.addMemory(touched);
        tail.addMemory(touched);
    }

    @Override
    @Nullable Object subject() {
        return file;
    }

    @Override
    void free() {
        head.set(null);
        tail.set(null);
    }

    @Override
    void forget() {
        file = null;
    }
}
