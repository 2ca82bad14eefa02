package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.hook.HookFailure;
import dev.sluice.system.OpenOptions;
import dev.sluice.system.PathBytes;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The path of a file to open, and the options. */
public final class Opening extends Arguments {

    private static final Logger LOG = LoggerFactory.getLogger(Opening.class);

    private @Nullable Path path;
    private OpenOption @Nullable [] requested;
    private FileAttribute<?> @Nullable [] attributes;
    private @Nullable OpenOptions options;
    private @Nullable FileHandle file;

    Opening(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.NONE);
    }

    void set(Path newPath, OpenOption[] newOptions, FileAttribute<?>[] newAttributes) {
        path = newPath;
        requested = newOptions;
        attributes = newAttributes;
    }

    @Override
    void check() {
        Path given = Objects.requireNonNull(path, "path");
        assert requested != null;
        OpenOptions checked = OpenOptions.of(List.of(requested), attributes);
        options = checked;
        checked.requirePath(given);
    }

    @Override
    long prepare() {
        return memory.putPath(PathBytes.of(path)) ? NEEDS_CALL : -Errno.ENAMETOOLONG.number();
    }

    /** {@return the address of the path, with a terminating zero} */
    public long address() {
        return memory.stage();
    }

    /** {@return the path} */
    public Path path() {
        assert path != null;
        return path;
    }

    /** {@return the options, which have been checked} */
    public OpenOptions options() {
        assert options != null;
        return options;
    }

    /**
     * Creates the handle of a file that has been opened.
     *
     * @param descriptor the descriptor of the file, which the handle then owns
     * @return 0, or a negated error number if there is no memory for it, or the options do not allow the file
     */
    public long adopt(long descriptor) {
        try {
            file = Descriptors.adoptFile(descriptor, path, options);
            return 0;
        } catch (OutOfMemoryError e) {
            HookFailure.log(LOG, "out of memory: closing an opened file", e);
            return -Errno.ENOMEM.number();
        } catch (SystemCallException e) {
            Errno error = Errno.valueOf(e.errorName());
            return -(error == Errno.UNKNOWN ? Errno.EIO : error).number();
        }
    }

    /** {@return the handle that {@link #adopt} has created, which this method forgets; null if there is none} */
    public @Nullable FileHandle takeFile() {
        FileHandle taken = file;
        file = null;
        return taken;
    }

    @Override
    @Nullable Object subject() {
        return path;
    }

    @Override
    @Nullable String advice(long result) {
        return options == null ? null : options.advice(result);
    }

    @Override
    void forget() {
        path = null;
        requested = null;
        attributes = null;
        options = null;
    }
}
