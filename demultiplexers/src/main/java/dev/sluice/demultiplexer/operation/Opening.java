package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.DirectoryHandle;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.hook.HookFailure;
import dev.sluice.system.OpenOptions;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.PathBytes;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The path of a file to open, the directory that it is relative to, if there is one, and the options. */
public final class Opening extends Arguments {

    private static final Logger LOG = LoggerFactory.getLogger(Opening.class);

    private final HeldDirectory directory = new HeldDirectory();
    private @Nullable Path path;
    /** The path with that of the directory, for messages. */
    private @Nullable Path full;
    private OpenOption @Nullable [] requested;
    private FileAttribute<?> @Nullable [] attributes;
    private @Nullable OpenOptions options;
    private @Nullable FileHandle file;

    Opening(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.NONE);
    }

    void set(@Nullable DirectoryHandle newDirectory, Path newPath, OpenOption[] newOptions,
            FileAttribute<?>[] newAttributes) {
        directory.set(newDirectory);
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
        if (directory.isThere()) {
            checked.requirePathInDirectory(given);
            full = directory.resolve(given);
        } else {
            checked.requirePath(given);
            full = given;
        }
    }

    @Override
    long prepare() {
        if (directory.isThere() && !directory.acquire()) {
            return -Errno.EBADF.number();
        }
        return memory.putPath(0, PathBytes.of(path())) ? NEEDS_CALL : -Errno.ENAMETOOLONG.number();
    }

    /** {@return whether the path is looked up in an open directory} */
    public boolean isInDirectory() {
        return directory.isThere();
    }

    /** {@return the descriptor that the path is relative to} */
    public int directory() {
        return isInDirectory() ? (int) directory.number() : FileConstants.AT_FDCWD;
    }

    /** {@return the flags of {@code openat}} */
    public int flags() {
        return isInDirectory() ? options().flagsOfName() : options().flags();
    }

    /** {@inheritDoc} For a file in a directory. */
    @Override
    public long makeCall() {
        return directory.system().open(directory.number(), path(), options());
    }

    /**
     * Removes the name with which a file was opened, unless it has come to denote another file.
     *
     * @param opened the file
     * @return 0, or a negated error number
     */
    public int removeName(int opened) {
        return OperatingSystem.current().unix().removeName(opened, directory(), path());
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
            file = Descriptors.adoptFile(descriptor, full, options);
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
    void release() {
        directory.release();
    }

    @Override
    @Nullable Object subject() {
        return full;
    }

    @Override
    @Nullable String advice(long result) {
        return options == null ? null : options.advice(result);
    }

    @Override
    void forget() {
        directory.set(null);
        path = null;
        full = null;
        requested = null;
        attributes = null;
        options = null;
    }
}
