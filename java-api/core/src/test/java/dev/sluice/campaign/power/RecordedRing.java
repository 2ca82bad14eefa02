package dev.sluice.campaign.power;

import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.IoUringConstants;
import dev.sluice.calls.layout.IoUringCqe;
import dev.sluice.calls.layout.IoUringSqe;
import dev.sluice.calls.layout.OpenHow;
import dev.sluice.campaign.ObservedRing;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/** Records the requests to an instance of io_uring that change files or force them, and their completions. */
final class RecordedRing extends ObservedRing {

    /** What changes no content of files; names are found otherwise. */
    private static final Set<Integer> HARMLESS = Set.of(IoUringConstants.IORING_OP_NOP,
            IoUringConstants.IORING_OP_READV, IoUringConstants.IORING_OP_READ_FIXED, IoUringConstants.IORING_OP_READ,
            IoUringConstants.IORING_OP_POLL_ADD, IoUringConstants.IORING_OP_POLL_REMOVE,
            IoUringConstants.IORING_OP_SYNC_FILE_RANGE, IoUringConstants.IORING_OP_TIMEOUT,
            IoUringConstants.IORING_OP_ASYNC_CANCEL, IoUringConstants.IORING_OP_CLOSE,
            IoUringConstants.IORING_OP_STATX, IoUringConstants.IORING_OP_FADVISE,
            IoUringConstants.IORING_OP_RENAMEAT, IoUringConstants.IORING_OP_UNLINKAT,
            IoUringConstants.IORING_OP_MKDIRAT, IoUringConstants.IORING_OP_LINKAT);

    private final Recorder recorder;
    /** What takes the results, by user data. */
    private final Map<Long, LongConsumer> inFlight = new HashMap<>();
    /** The write that the next request is linked to; null if there is none. */
    private Change previous;

    RecordedRing(Recorder recorder, ByteBuffer parameters) {
        super(parameters);
        this.recorder = recorder;
    }

    @Override
    protected void entering() {
        takeCompleted();
        takeSubmissions(this::submitting);
    }

    @Override
    protected void entered() {
        takeCompleted();
    }

    /** Takes the completions that the kernel has put there since. */
    void takeCompleted() {
        takeCompletions(at -> {
            LongConsumer completion = inFlight.remove(completions().getLong(at + IoUringCqe.USER_DATA));
            if (completion != null) {
                completion.accept(completions().getInt(at + IoUringCqe.RES));
            }
        });
    }

    private void submitting(int at) {
        ByteBuffer entry = submissions();
        int fd = entry.getInt(at + IoUringSqe.FD);
        int length = entry.getInt(at + IoUringSqe.LEN);
        long offset = entry.getLong(at + IoUringSqe.OFF);
        long address = entry.getLong(at + IoUringSqe.ADDR);
        int flags = entry.getInt(at + IoUringSqe.OP_FLAGS);
        int opcode = entry.get(at + IoUringSqe.OPCODE);
        Change before = previous;
        previous = null;
        if (before != null && isLinked(at)) {
            throw new AssertionError("a chain of more than two requests of io_uring is not recorded");
        }
        LongConsumer completion = switch (opcode) {
            // Of registered memory, entries have the address, too.
            case IoUringConstants.IORING_OP_WRITE, IoUringConstants.IORING_OP_WRITE_FIXED ->
                    write(at, fd, offset, recorder.bytes(address, length));
            case IoUringConstants.IORING_OP_WRITEV -> write(at, fd, offset, recorder.gather(address, length));
            case IoUringConstants.IORING_OP_FSYNC -> recorder.force(fd, before);
            case IoUringConstants.IORING_OP_OPENAT -> open(flags);
            case IoUringConstants.IORING_OP_OPENAT2 -> open((int) recorder.number(offset + OpenHow.FLAGS));
            case IoUringConstants.IORING_OP_FTRUNCATE -> recorder.resize(fd, offset, false);
            // The length is where others have the address, and the mode where they have the length.
            case IoUringConstants.IORING_OP_FALLOCATE -> recorder.allocate(fd, length, offset, address);
            case IoUringConstants.IORING_OP_SPLICE -> recorder.refuse("IORING_OP_SPLICE", fd);
            default -> {
                if (!HARMLESS.contains(opcode)) {
                    throw new AssertionError("the request of io_uring with opcode " + opcode + " is not recorded");
                }
                yield Recorder.IGNORED;
            }
        };
        if (completion != Recorder.IGNORED) {
            inFlight.put(entry.getLong(at + IoUringSqe.USER_DATA), completion);
        }
    }

    private LongConsumer write(int at, int fd, long position, byte[] bytes) {
        LongConsumer completion = recorder.write(fd, position, bytes);
        if (isLinked(at)) {
            previous = recorder.lastWrite(fd);
        }
        return completion;
    }

    /** {@return whether the next request begins when this one has completed} */
    private boolean isLinked(int at) {
        return (submissions().get(at + IoUringSqe.FLAGS) & IoUringConstants.IOSQE_IO_LINK) != 0;
    }

    /** A file that is created may have the number of one that has been deleted. */
    private LongConsumer open(int flags) {
        if ((flags & (FileConstants.O_CREAT | FileConstants.O_TRUNC)) != 0) {
            return recorder.open(flags);
        }
        return Recorder.IGNORED;
    }
}
