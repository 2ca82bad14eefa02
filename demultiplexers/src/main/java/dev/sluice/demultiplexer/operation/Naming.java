package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.DirectoryHandle;
import dev.sluice.system.OpenOptions;
import dev.sluice.system.PathBytes;
import dev.sluice.system.UnixSystem;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One or two names, and the directories in which they are looked up. */
public class Naming extends Arguments {

    /** The directory of the first name. */
    final HeldDirectory directory = new HeldDirectory();
    /** The directory of the second name, unless that is the same. */
    private final HeldDirectory target = new HeldDirectory();
    private @Nullable Path name;
    private @Nullable Path newName;
    private FileAttribute<?> @Nullable [] attributes;
    private int mode;
    /** The offset of the second name from the first one in the stage. */
    private int newNameAt;
    private @Nullable Path subject;

    Naming(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.NONE);
    }

    final void set(DirectoryHandle newDirectory, Path newFirst, FileAttribute<?>... newAttributes) {
        set(newDirectory, newFirst, null, null);
        attributes = newAttributes;
    }

    /** Sets the arguments, given the directory of the second name; null if it is the same, or if there is no name. */
    final void set(@Nullable DirectoryHandle newDirectory, Path newFirst, @Nullable DirectoryHandle newTarget,
            @Nullable Path newSecond) {
        directory.set(newDirectory);
        name = newFirst;
        target.set(newTarget == newDirectory ? null : newTarget);
        newName = newSecond;
        attributes = null;
    }

    private boolean hasTwoNames() {
        return switch (type) {
            case RENAME, RENAME_UNLESS_EXISTS, EXCHANGE, LINK -> true;
            default -> false;
        };
    }

    @Override
    void check() {
        directory.require();
        if (type == OperationType.FORCE_DIRECTORY) {
            subject = directory.resolve(Path.of(""));
            return;
        }
        PathBytes.requireName(Objects.requireNonNull(name, "name"));
        if (hasTwoNames()) {
            PathBytes.requireName(Objects.requireNonNull(newName, "newName"));
        }
        if ((type == OperationType.RENAME_UNLESS_EXISTS || type == OperationType.EXCHANGE)
                && !directory.system().canExchange()) {
            throw new UnsupportedOperationException(type + ": this system replaces what has the new name");
        }
        mode = type == OperationType.CREATE_DIRECTORY
                ? OpenOptions.directoryMode(Objects.requireNonNull(attributes, "attributes")) : 0;
        subject = directory.resolve(type == OperationType.LINK ? second() : first());
    }

    final Path first() {
        assert name != null;
        return name;
    }

    private Path second() {
        assert newName != null;
        return newName;
    }

    @Override
    long prepare() {
        return directory.acquire() && (!target.isThere() || target.acquire()) ? NEEDS_CALL : -Errno.EBADF.number();
    }

    /** {@return whether the stage has space for the names, which this call stores with terminating zeros} */
    public final boolean putNames() {
        byte[] bytes = PathBytes.of(first());
        newNameAt = bytes.length + 1;
        return memory.putPath(0, bytes) && (newName == null || memory.putPath(newNameAt, PathBytes.of(newName)));
    }

    /** {@return the address of the first name} */
    public final long address() {
        return memory.stage();
    }

    /** {@return the address of the second name} */
    public final long newNameAddress() {
        return memory.stage() + newNameAt;
    }

    /** {@return the descriptor of the directory of the first name} */
    public int descriptor() {
        return (int) directory.number();
    }

    /** {@return the descriptor of the directory of the second name} */
    public final int targetDescriptor() {
        return (int) (target.isThere() ? target.number() : directory.number());
    }

    /** {@return the permissions of a new directory; 0 for other types} */
    public final int mode() {
        return mode;
    }

    @Override
    public long makeCall() {
        UnixSystem system = directory.system();
        long number = directory.number();
        return switch (type) {
            case RENAME -> system.rename(number, first(), targetDescriptor(), second());
            case RENAME_UNLESS_EXISTS -> system.renameUnlessExists(number, first(), second());
            case EXCHANGE -> system.exchange(number, first(), second());
            case LINK -> system.link(number, first(), second());
            case DELETE -> system.delete(number, first());
            case CREATE_DIRECTORY -> system.createDirectory(number, first(), mode);
            case DELETE_DIRECTORY -> system.deleteDirectory(number, first());
            case FORCE_DIRECTORY -> system.forceDirectory(number);
            default -> super.makeCall();
        };
    }

    @Override
    final void release() {
        directory.release();
        target.release();
    }

    @Override
    @Nullable Object subject() {
        return subject;
    }

    @Override
    final void forget() {
        directory.set(null);
        target.set(null);
        name = null;
        newName = null;
        attributes = null;
        subject = null;
    }
}
