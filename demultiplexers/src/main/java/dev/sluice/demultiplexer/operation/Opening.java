package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.hook.HookFailure;
import dev.sluice.system.OpenFlags;
import dev.sluice.system.PathBytes;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The path of a file that is opened, and how it is opened. */
public final class Opening extends Arguments {

    private static final Logger LOG = LoggerFactory.getLogger(Opening.class);

    private Path path;
    private OpenOption[] options;

    Opening(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.NONE);
    }

    void set(Path newPath, OpenOption[] newOptions) {
        path = newPath;
        options = newOptions;
    }

    @Override
    void check() {
        PathBytes.require(Objects.requireNonNull(path, "path"));
        // Throws if there is an unknown option.
        flags();
    }

    @Override
    long prepare() {
        return memory.putPath(PathBytes.of(path)) ? NEEDS_CALL : -Errno.ENAMETOOLONG.number();
    }

    /** {@return the address of the path, which ends with a zero} */
    public long address() {
        return memory.stage();
    }

    /** {@return the path} */
    public Path path() {
        return path;
    }

    /** {@return the options} */
    public OpenOption[] options() {
        return options;
    }

    /** {@return the options as flags of the system} */
    public int flags() {
        return OpenFlags.of(options);
    }

    /** {@return the permissions of a created file} */
    public static int mode() {
        return OpenFlags.MODE;
    }

    /**
     * Takes over a file that has been opened.
     *
     * @param descriptor belongs to the file from now on
     * @return the file, or null if there is no memory for it
     */
    public FileHandle adopt(long descriptor) {
        try {
            return Descriptors.adoptFile(descriptor, path, options);
        } catch (OutOfMemoryError e) {
            HookFailure.log(LOG, "out of memory: closing an opened file", e);
            return null;
        }
    }

    @Override
    Object subject() {
        return path;
    }

    @Override
    void forget() {
        path = null;
        options = null;
    }
}
