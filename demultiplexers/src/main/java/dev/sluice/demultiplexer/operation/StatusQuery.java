package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.spi.Descriptor;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.system.Scratch;
import dev.sluice.system.StatxResult;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import org.jspecify.annotations.Nullable;

/** The file whose attributes are read, or the name in a directory, and the attributes. */
public final class StatusQuery extends Naming {

    /** The path of the file itself. */
    private static final Path ITSELF = Path.of("");

    private @Nullable PosixFileAttributes status;

    StatusQuery(OperationSlot operation, OperationType type) {
        super(operation, type);
    }

    void setFile() {
        set(null, ITSELF, null, null);
    }

    private boolean isOfFile() {
        return operation.association() != null;
    }

    @Override
    void check() {
        if (!isOfFile()) {
            super.check();
        } else {
            // Throws on Windows.
            held().system().unix();
        }
    }

    /** {@return the descriptor of the file, or of the directory in which the name is looked up} */
    private Descriptor held() {
        return isOfFile() ? operation.handleAssociation().held : directory.descriptor();
    }

    @Override
    long prepare() {
        return isOfFile() ? NEEDS_CALL : super.prepare();
    }

    /** {@inheritDoc} Or that of the file. */
    @Override
    public int descriptor() {
        return isOfFile() ? (int) operation.handleAssociation().descriptor() : super.descriptor();
    }

    @Override
    public long makeCall() {
        Descriptor held = held();
        try (Scratch scratch = Scratch.withPath(held.binding(), first())) {
            int result = held.system().unix().status(descriptor(), scratch);
            if (result == 0) {
                status = Descriptors.status(scratch.memory());
            }
            return result;
        }
    }

    /**
     * Takes the attributes from a result of {@code statx}.
     *
     * @param statx the memory of the result
     * @param at    its offset
     */
    public void take(ByteBuffer statx, int at) {
        try (Scratch scratch = Scratch.borrow(held().binding())) {
            StatxResult.store(statx, at, scratch);
            status = Descriptors.status(scratch.memory());
        }
    }

    @Override
    public @Nullable Object takeResource() {
        PosixFileAttributes taken = status;
        status = null;
        return taken;
    }

    @Override
    @Nullable Object subject() {
        return isOfFile() ? null : super.subject();
    }
}
