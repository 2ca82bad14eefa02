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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The path of a file that is opened, and how it is opened. */
public final class Opening extends Arguments {

    private static final Logger LOG = LoggerFactory.getLogger(Opening.class);

    private Path path;
    private OpenOption[] requested;
    private FileAttribute<?>[] attributes;
    private OpenOptions options;
    private FileHandle file;

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
        Objects.requireNonNull(path, "path");
        options = OpenOptions.of(List.of(requested), attributes);
        options.requirePath(path);
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

    /** {@return the options, which have been checked} */
    public OpenOptions options() {
        return options;
    }

    /**
     * Takes over a file that has been opened.
     *
     * @param descriptor belongs to the file from now on
     * @return 0, or the negated error number if there is no memory for it, or it is not what the options ask for
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

    /** {@return the file that has been taken over last, which can be asked for once; null if it could not be} */
    public FileHandle takeFile() {
        FileHandle taken = file;
        file = null;
        return taken;
    }

    @Override
    Object subject() {
        return path;
    }

    @Override
    String advice(long result) {
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
