package dev.sluice.mechanism.operation;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.system.OpenFlags;
import dev.sluice.system.PathBytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * An operation in the form that system calls need: descriptors, addresses, vectors, messages. It works through its
 * buffers piece by piece, and copies to and from those on the heap, and those whose memory the program can free
 * meanwhile. Used only inside, except for the parts marked as open to any thread.
 */
abstract class PreparedOperation extends RequestedOperation {

    /** Buffers that one attempt of a vectored operation uses. */
    static final int VECTOR_LENGTH = 16;

    // Layout of the block that holds the structures of a call
    private static final int MESSAGE = 0;
    private static final int ADDRESS = VectorForm.MESSAGE_SIZE;
    private static final int VECTOR = ADDRESS + SockaddrStorage.SIZE;
    /** The size of such a block. */
    static final int BLOCK_SIZE = VECTOR + VECTOR_LENGTH * VectorForm.ELEMENT_SIZE;
    /** The size of a block that bytes are copied to, or from; a longer datagram gets one of its own. */
    static final int STAGE_SIZE = 64 * 1024;

    private final OperationProcessor processor;
    private final VectorForm form;

    // What has been moved, and what is to be moved next
    private long done;
    private long total;
    /**
     * What will have been moved if the call moves everything it is offered; whatever a call returns, no more than that
     * is copied.
     */
    private long offered;
    private long address;
    private int length;
    private int vectorCount;
    private int nameLength;
    private BlockPool.Block block;
    private BlockPool.Block stage;
    private MemoryBlock longStage;
    private boolean holdsFile;
    private long descriptor;

    private final BufferAddress bufferAddress;
    /** What is transmitted; null until the first transmission, and then kept. */
    private TransmittedParts parts;

    PreparedOperation(OperationProcessor processor) {
        this.processor = processor;
        this.form = processor.memory().vectorForm();
        this.bufferAddress = new BufferAddress(processor);
    }

    @Override
    final void check() {
        if (association() != null && !association().isOf(processor)) {
            throw new IllegalArgumentException("the association is of another demultiplexer: " + association());
        }
        kind().check(this);
    }

    // For the check, called by the starting thread

    final void requireBuffers() {
        if (buffers() == null) {
            Objects.requireNonNull(buffer(), "buffer");
        } else {
            Objects.checkFromIndexSize(offset(), count(), buffers().length);
        }
    }

    /** A receive without room could not be distinguished from the end of the stream. */
    final void requireRoom() {
        if (buffers() == null) {
            requireWritable(buffer());
            if (!buffer().hasRemaining()) {
                throw new IllegalArgumentException("the buffer to receive into has no room");
            }
            return;
        }
        boolean room = false;
        for (int i = offset(); i < offset() + count(); i++) {
            requireWritable(buffers()[i]);
            room |= buffers()[i].hasRemaining();
        }
        if (!room) {
            throw new IllegalArgumentException("the buffers to receive into have no room");
        }
    }

    private static void requireWritable(ByteBuffer destination) {
        if (destination.isReadOnly()) {
            throw new IllegalArgumentException("the buffer to receive into is read-only");
        }
    }

    /** Refuses buffers that cannot be accessed in the background. */
    final void requireAddresses() {
        if (buffers() == null) {
            bufferAddress.require(buffer());
        } else {
            for (int i = offset(); i < offset() + count(); i++) {
                addressOf(buffers()[i]);
            }
        }
    }

    /** {@return the address of one of several buffers, or {@link Memory#COPY}} */
    private long addressOf(ByteBuffer each) {
        return each.isDirect() ? processor.memory().address(each) : Memory.COPY;
    }

    /** Refuses a head or a tail that cannot be accessed in the background. */
    final void requireParts() {
        if (parts == null) {
            parts = new TransmittedParts(this, processor);
        }
        parts.check();
    }

    /** {@return the descriptor that the call is made on; for a close, the descriptor to close} */
    public final long descriptor() {
        return descriptor;
    }

    /** {@return the address of the bytes to move next, of the path to open, or of the peer to connect to} */
    public final long address() {
        return address;
    }

    /** {@return the number of bytes to move next, or the length of the peer's address} */
    public final int nextLength() {
        return length;
    }

    /** {@return the position in the file at which to go on} */
    public final long nextPosition() {
        return position() + done;
    }

    /** {@return what has been moved so far} */
    public final long done() {
        return done;
    }

    /** {@return the most bytes that the next attempt can move} */
    public final long most() {
        return offered - done;
    }

    /** {@return what is transmitted} */
    public final TransmittedParts parts() {
        return parts;
    }

    /** {@return whether several buffers take part} */
    public final boolean isVectored() {
        return vectorCount > 0;
    }

    /** {@return the address of the vector of {@link #vectorCount()} elements} */
    public final long vector() {
        return block.address() + VECTOR;
    }

    /** {@return the number of elements in the vector} */
    public final int vectorCount() {
        return vectorCount;
    }

    /** {@return where the vector begins in the memory of {@link #structure()}} */
    public final int vectorAt() {
        return block.at() + VECTOR;
    }

    /** {@return for a datagram, the address of the peer's address or of the room for it} */
    public final long name() {
        return block.address() + ADDRESS;
    }

    /** {@return the size of the peer's address, or of the room for it, in bytes; 0 if there is none} */
    public final int nameLength() {
        return nameLength;
    }

    /** {@return the address of the message, in the system's form} */
    public final long message() {
        return block.address() + MESSAGE;
    }

    /** {@return the descriptor of the file to transmit} */
    public final long fileDescriptor() {
        return descriptor;
    }

    /**
     * Prepares the first attempt.
     *
     * @return 0, or a negated error number that the operation completes with
     */
    final long setUp() {
        assert processor.isInside();
        done = 0;
        total = 0;
        offered = 0;
        length = 0;
        vectorCount = 0;
        HandleAssociation association = association();
        descriptor = association == null ? -1 : association.descriptor();
        try {
            return kind().prepare(this);
        } catch (RuntimeException e) {
            throw new TouchedBufferException(e);
        }
    }

    // For its kind

    /** {@return what the buffers hold, or have room for, in bytes} */
    final long total() {
        return total;
    }

    final void prepareBuffers() {
        total = buffer() != null ? buffer().remaining() : remaining();
        if (!kind().isOutput()) {
            if (total == 0) {
                // There was room at the start; without any, the end of the stream would be reported.
                throw new IllegalStateException("there is no room left");
            }
            // The system refuses a range that ends beyond the largest number, although no file gets there.
            total = Math.min(total, Long.MAX_VALUE - position());
        }
        prepareNext();
    }

    final void preparePeer() {
        takeBlock();
        length = peer().writeTo(block.memory(), block.at() + ADDRESS);
        address = block.address() + ADDRESS;
    }

    final void prepareParts() {
        parts.prepare();
    }

    final void holdFile() throws HandleClosedException {
        descriptor = file().handle().acquire();
        holdsFile = true;
    }

    /** {@return whether there is room for it} */
    final boolean preparePath() {
        byte[] name = PathBytes.of(path());
        if (name.length >= STAGE_SIZE) {
            return false;
        }
        takeStage();
        stage.memory().put(stage.at(), name);
        stage.memory().put(stage.at() + name.length, (byte) 0);
        address = stage.address();
        return true;
    }

    /** Leaves it without a descriptor if another user of the handle will close it. */
    final void surrenderDescriptor() {
        descriptor = association().surrender();
    }

    /** {@return the length of the peer's address in bytes; 0 if the socket is connected} */
    final int writePeer() {
        return peer() == null ? 0 : peer().writeTo(block.memory(), block.at() + ADDRESS);
    }

    final void readSender() {
        if (peer() != null) {
            peer().readFrom(block.memory(), block.at() + ADDRESS,
                    form.nameLength(block.memory(), block.at() + MESSAGE));
        }
    }

    private long remaining() {
        long sum = 0;
        for (int i = offset(); i < offset() + count(); i++) {
            sum += buffers()[i].remaining();
        }
        return sum;
    }

    private void prepareNext() {
        assert processor.isInside();
        ByteBuffer single = buffer();
        if (single == null) {
            prepareVector();
        } else if (bufferAddress.isInPlace()) {
            address = bufferAddress.get() + single.position() + done;
            length = (int) (total - done);
        } else {
            length = takeStage((int) (total - done));
            if (kind().isOutput()) {
                stage.memory().put(stage.at(), single, single.position() + (int) done, length);
            }
            address = stage.address();
        }
        if (single != null) {
            offered = done + length;
        }
        if (kind().isDatagram()) {
            takeBlock();
            form.setElement(block.memory(), block.at() + VECTOR, address, length);
            vectorCount = 1;
            prepareMessage();
        }
    }

    private void prepareVector() {
        takeBlock();
        vectorCount = 0;
        offered = done;
        int staged = 0;
        long skip = done;
        for (int i = offset(); i < offset() + count() && vectorCount < VECTOR_LENGTH; i++) {
            ByteBuffer each = buffers()[i];
            int from = each.position() + (int) Math.min(skip, each.remaining());
            skip -= from - each.position();
            int part = (int) Math.min(each.limit() - from, total - offered);
            if (part == 0) {
                continue;
            }
            long at = addressOf(each);
            if (at >= 0) {
                at += from;
            } else {
                takeStage();
                part = Math.min(part, STAGE_SIZE - staged);
                if (kind().isOutput()) {
                    stage.memory().put(stage.at() + staged, each, from, part);
                }
                at = stage.address() + staged;
                staged += part;
            }
            addElement(at, part);
            offered += part;
            if (from + part < each.limit()) {
                break;
            }
        }
        if (vectorCount == 0 && done < total) {
            throw new IllegalStateException(total - done + " bytes less are left than there were at the start");
        }
        prepareMessage();
    }

    private void addElement(long at, int bytes) {
        form.setElement(block.memory(), block.at() + VECTOR + vectorCount++ * VectorForm.ELEMENT_SIZE, at, bytes);
    }

    /**
     * Prepares a message of what is left of the head, bytes of the file, and the tail if they are the last that are
     * to be sent of the file.
     *
     * @param fileBytes their address
     * @param number    how many there are
     * @return how many bytes the message has
     */
    public final long prepareParts(long fileBytes, int number) {
        takeBlock();
        vectorCount = 0;
        long sum = addPart(parts.headAddress(), parts.headLeft()) + addPart(fileBytes, number);
        if (number == parts.fileLeft()) {
            sum += addPart(parts.tailAddress(), parts.tailLeft());
        }
        prepareMessage();
        return sum;
    }

    private int addPart(long at, int bytes) {
        if (bytes > 0) {
            addElement(at, bytes);
        }
        return bytes;
    }

    private void prepareMessage() {
        nameLength = kind().prepareName(this);
        long name = nameLength == 0 ? 0 : block.address() + ADDRESS;
        form.setMessage(block.memory(), block.at() + MESSAGE, name, nameLength, vector(), vectorCount);
    }

    private void takeBlock() {
        if (block == null) {
            assert processor.isInside();
            block = processor.memory().blocks().take();
        }
    }

    private void takeStage() {
        if (stage == null) {
            assert processor.isInside();
            stage = processor.memory().stages().take();
        }
    }

    /**
     * {@return how many of the bytes the stage has room for; for a datagram all of them, as it cannot be moved piece by
     * piece}
     */
    private int takeStage(int bytes) {
        if (bytes <= STAGE_SIZE || !kind().isDatagram()) {
            takeStage();
            return Math.min(bytes, STAGE_SIZE);
        }
        if (longStage == null) {
            longStage = processor.memory().ofBinding().allocate(bytes);
            stage = new BlockPool.Block(longStage.buffer(), 0, longStage.address());
        }
        return bytes;
    }

    /** {@return the address of {@link #stageSize()} bytes of room, available until the completion} */
    public final long stage() {
        takeStage();
        return stage.address();
    }

    /** {@return the size of {@link #stage()} in bytes} */
    public static int stageSize() {
        return STAGE_SIZE;
    }

    /**
     * {@return the memory with room for a structure, available until the completion: 64 bytes, or
     * {@link #structureSize()} for the types without buffers and addresses}
     */
    public final ByteBuffer structure() {
        takeBlock();
        return block.memory();
    }

    /** {@return where {@link #structure()} begins in its memory} */
    public final int structureAt() {
        takeBlock();
        return block.at();
    }

    /** {@return how much room {@link #structure()} has if nothing else needs any of it, in bytes} */
    public static int structureSize() {
        return BLOCK_SIZE;
    }

    /** {@return the address of {@link #structure()}} */
    public final long structureAddress() {
        takeBlock();
        return block.address();
    }

    /**
     * Notes what one attempt has moved.
     *
     * @param moved bytes
     * @return whether more must be moved
     */
    public final boolean moved(long moved) {
        done += moved;
        boolean more = moved > 0 && wantsAll() && done < total && isBuffered();
        if (more) {
            try {
                prepareNext();
            } catch (RuntimeException e) {
                throw new TouchedBufferException(e);
            }
        }
        return more;
    }

    /**
     * Copies received bytes to those buffers that they were not received into, advances the positions, and gives back
     * what was borrowed.
     */
    final void tearDown(long result) {
        assert processor.isInside();
        try {
            takeOver(result);
        } catch (RuntimeException e) {
            throw new TouchedBufferException(e);
        } finally {
            giveBack();
        }
    }

    private void takeOver(long result) {
        kind().takeOver(this, result);
        if (done > 0 && isBuffered()) {
            // For a truncated datagram the system reports the full length.
            advance(Math.min(done, offered));
        }
    }

    /** Adds the memory that it uses and that is not in any pool. */
    final void leaveMemory(List<Object> memory) {
        if (buffer() != null) {
            memory.add(buffer());
        } else if (buffers() != null) {
            memory.addAll(Arrays.asList(buffers()).subList(offset(), offset() + count()));
        }
        if (longStage != null) {
            memory.add(longStage);
            longStage = null;
        }
        if (parts != null) {
            parts.leaveMemory(memory);
        }
    }

    private void giveBack() {
        // Reset here, since the next start may be cancelled before anything is prepared.
        done = 0;
        if (block != null) {
            processor.memory().blocks().giveBack(block);
            block = null;
        }
        if (longStage != null) {
            longStage.close();
            longStage = null;
        } else if (stage != null) {
            processor.memory().stages().giveBack(stage);
        }
        stage = null;
        if (parts != null) {
            parts.giveBack();
        }
        if (holdsFile) {
            holdsFile = false;
            file().handle().release();
        }
    }

    private void advance(long count) {
        boolean input = !kind().isOutput();
        if (buffer() != null) {
            if (input && !bufferAddress.isInPlace()) {
                takeFromStage(buffer(), (int) count, 0);
            }
            advance(buffer(), (int) count);
            return;
        }
        long left = count;
        int staged = 0;
        for (int i = offset(); left > 0 && i < offset() + count(); i++) {
            ByteBuffer each = buffers()[i];
            int part = (int) Math.min(each.remaining(), left);
            if (input && part > 0 && addressOf(each) < 0) {
                takeFromStage(each, part, staged);
                staged += part;
            }
            advance(each, part);
            left -= part;
        }
        if (left > 0) {
            throw new IllegalStateException(left + " bytes more have been moved than the buffers have room for");
        }
    }

    private void takeFromStage(ByteBuffer each, int part, int at) {
        each.put(each.position(), stage.memory(), stage.at() + at, part);
    }

    private static void advance(ByteBuffer each, int part) {
        each.position(each.position() + part);
    }

    /** The permissions of created files. */
    public static int mode() {
        return OpenFlags.MODE;
    }
}
