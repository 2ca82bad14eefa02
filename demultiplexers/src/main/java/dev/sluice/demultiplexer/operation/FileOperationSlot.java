package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.DirectoryHandle;
import dev.sluice.handle.FileHandle;
import dev.sluice.system.PathBytes;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;

/** The ways to start an operation on a file or on names, other than those that move bytes. */
abstract class FileOperationSlot implements Operation {

    /** {@return the arguments for a start of that type, after claiming the operation unless the caller has} */
    abstract Arguments prepare(OperationType type);

    /** As {@link #prepare(OperationType)}, for an operation on a handle. */
    abstract Arguments prepare(OperationType type, Association where);

    /** Checks the arguments and starts the operation. */
    abstract void start();

    @Override
    public final void open(Path path, OpenOption[] options, FileAttribute<?>[] attributes) {
        ((Opening) prepare(OperationType.OPEN)).set(null, path, options, attributes);
        start();
    }

    @Override
    public final void range(OperationType type, Association where, long position, long length) {
        ((FileRange) prepare(type, where)).set(position, length);
        start();
    }

    @Override
    public final void truncate(Association where, long size) {
        ((NewLength) prepare(OperationType.TRUNCATE, where)).set(size);
        start();
    }

    @Override
    public final void copy(Association source, long position, long count, FileHandle target, long targetPosition) {
        ((Copying) prepare(OperationType.COPY, source)).set(position, count, target, targetPosition);
        start();
    }

    @Override
    public final void lock(OperationType type, Association where, long position, long length, boolean shared) {
        ((Locking) prepare(type, where)).set(position, length, shared);
        start();
    }

    @Override
    public final void status(Association where) {
        ((StatusQuery) prepare(OperationType.STATUS, where)).setFile();
        start();
    }

    @Override
    public final void status(DirectoryHandle directory, Path name) {
        ((Naming) prepare(OperationType.STATUS)).set(directory, name);
        start();
    }

    @Override
    public final void open(DirectoryHandle directory, Path path, OpenOption[] options,
            FileAttribute<?>[] attributes) {
        ((Opening) prepare(OperationType.OPEN)).set(directory, path, options, attributes);
        start();
    }

    @Override
    public final void name(OperationType type, DirectoryHandle directory, Path name, FileAttribute<?>... attributes) {
        ((Naming) prepare(type)).set(directory, name, attributes);
        start();
    }

    @Override
    public final void names(OperationType type, DirectoryHandle directory, Path name, Path newName) {
        ((Naming) prepare(type)).set(directory, name, null, newName);
        start();
    }

    @Override
    public final void rename(DirectoryHandle directory, Path name, DirectoryHandle target, Path newName) {
        ((Naming) prepare(OperationType.RENAME)).set(directory, name, target, newName);
        start();
    }

    @Override
    public final void forceDirectory(DirectoryHandle directory) {
        ((Naming) prepare(OperationType.FORCE_DIRECTORY)).set(directory, PathBytes.ITSELF);
        start();
    }
}
