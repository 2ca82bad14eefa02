package dev.sluice.proactor;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.spi.ThreadingModel;
import dev.sluice.handle.DirectoryHandle;
import dev.sluice.handle.FileHandle;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a proactor on names in open directories. A name is a single one, as {@link DirectoryHandle}
 * specifies, or an {@link IllegalArgumentException} is thrown. If the directory is closed before the operation is
 * executed, it fails; if it is closed afterwards, the operation continues. An operation that the system is executing is
 * not cancelled. Operations are executed in no particular order.
 *
 * <p>On io_uring the system executes them, {@link #link} and {@link #createDirectory} since Linux 5.15; on other
 * demultiplexers, and where a file system refuses the request with {@code EOPNOTSUPP}, a thread of the pool does.
 * Windows has no {@link DirectoryHandle}.
 */
@SuppressWarnings("exports") // Types in overridden methods are not exported.
abstract sealed class NameOperations extends EventLoop permits FileBuffers {

    final OperationPool operations;

    NameOperations(OperationPool operations, TimerQueue timers, LongSupplier clock, ThreadingModel threads,
            @Nullable DispatchTrace trace) {
        super(timers, clock, threads, trace);
        this.operations = operations;
    }

    final long claim(CompletionHandler handler, @Nullable Object token) {
        return operations.claim(Objects.requireNonNull(handler, "handler"), token);
    }

    private OperationFuture<Void> newFuture() {
        return OperationFuture.ofNothing((Proactor) this, operations::cancel);
    }

    /**
     * Opens a file in a directory, as {@link DirectoryHandle#openFile(Path, Set, FileAttribute[])} does.
     *
     * @param handler    receives the completion
     * @param token      the token of the completion; may be null
     * @param directory  the directory, held open until the completion
     * @param path       the path, as for that method
     * @param options    the options, as for that method
     * @param attributes the attributes, as for that method
     * @return the ticket, for {@link Proactor#cancel(long)}
     * @throws UnsupportedOperationException if an option or attribute is not supported
     */
    public final long openFile(CompletionHandler handler, @Nullable Object token, DirectoryHandle directory, Path path,
            Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        Objects.requireNonNull(directory, "directory");
        OpenOption[] array = options.toArray(OpenOption[]::new);
        long ticket = claim(handler, token);
        operations.claimed(ticket).open(directory, path, array, attributes);
        return ticket;
    }

    /**
     * {@return a future of the file, which the caller owns; see {@link AsyncHandle} and
     * {@link #openFile(CompletionHandler, Object, DirectoryHandle, Path, Set, FileAttribute[])}}
     */
    @CheckReturnValue
    public final CompletableFuture<FileHandle> openFileFuture(DirectoryHandle directory, Path path,
            Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        OperationFuture<FileHandle> future = new OperationFuture<>((Proactor) this, operations::cancel,
                Completion::file);
        return future.started(openFile(future, null, directory, path, options, attributes));
    }

    /**
     * Reads the attributes of a name in a directory, as {@link DirectoryHandle#status(Path)} does. The completion has
     * them.
     *
     * @param handler   receives the completion
     * @param token     the token of the completion; may be null
     * @param directory the directory, held open until the completion
     * @param name      the name
     * @return the ticket, for {@link Proactor#cancel(long)}
     */
    public final long status(CompletionHandler handler, @Nullable Object token, DirectoryHandle directory, Path name) {
        long ticket = claim(handler, token);
        operations.claimed(ticket).status(directory, name);
        return ticket;
    }

    /** {@return a future of the attributes; see {@link #status}} */
    @CheckReturnValue
    public final CompletableFuture<PosixFileAttributes> statusFuture(DirectoryHandle directory, Path name) {
        OperationFuture<PosixFileAttributes> future = new OperationFuture<>((Proactor) this, operations::cancel,
                Completion::status);
        return future.started(status(future, null, directory, name));
    }

    /**
     * Renames what a directory contains, as {@link DirectoryHandle#rename(Path, Path)} does.
     *
     * @param handler   receives the completion
     * @param token     the token of the completion; may be null
     * @param directory the directory, held open until the completion
     * @param name      the name
     * @param newName   the new name
     * @return the ticket, for {@link Proactor#cancel(long)}
     */
    public final long rename(CompletionHandler handler, @Nullable Object token, DirectoryHandle directory, Path name,
            Path newName) {
        long ticket = claim(handler, token);
        operations.claimed(ticket).names(OperationType.RENAME, directory, name, newName);
        return ticket;
    }

    /** {@return a future of the completion; see {@link #rename}} */
    @CheckReturnValue
    public final CompletableFuture<Void> renameFuture(DirectoryHandle directory, Path name, Path newName) {
        OperationFuture<Void> future = newFuture();
        return future.started(rename(future, null, directory, name, newName));
    }

    /**
     * Moves what a directory contains to another one, as
     * {@link DirectoryHandle#rename(Path, DirectoryHandle, Path)} does.
     *
     * @param handler   receives the completion
     * @param token     the token of the completion; may be null
     * @param directory the directory, held open until the completion
     * @param name      the name
     * @param target    the other directory, held open until the completion
     * @param newName   the new name
     * @return the ticket, for {@link Proactor#cancel(long)}
     */
    public final long rename(CompletionHandler handler, @Nullable Object token, DirectoryHandle directory, Path name,
            DirectoryHandle target, Path newName) {
        Objects.requireNonNull(target, "target");
        long ticket = claim(handler, token);
        operations.claimed(ticket).rename(directory, name, target, newName);
        return ticket;
    }

    /** {@return a future of the completion; see {@link #rename}} */
    @CheckReturnValue
    public final CompletableFuture<Void> renameFuture(DirectoryHandle directory, Path name, DirectoryHandle target,
            Path newName) {
        OperationFuture<Void> future = newFuture();
        return future.started(rename(future, null, directory, name, target, newName));
    }

    /**
     * Renames what a directory contains, unless the new name exists, as {@link DirectoryHandle#renameUnlessExists}
     * does.
     *
     * @param handler   receives the completion
     * @param token     the token of the completion; may be null
     * @param directory the directory, held open until the completion
     * @param name      the name
     * @param newName   the new name
     * @return the ticket, for {@link Proactor#cancel(long)}
     * @throws UnsupportedOperationException except on Linux and macOS
     */
    public final long renameUnlessExists(CompletionHandler handler, @Nullable Object token,
            DirectoryHandle directory, Path name, Path newName) {
        long ticket = claim(handler, token);
        operations.claimed(ticket).names(OperationType.RENAME_UNLESS_EXISTS, directory, name, newName);
        return ticket;
    }

    /** {@return a future of the completion; see {@link #renameUnlessExists}} */
    @CheckReturnValue
    public final CompletableFuture<Void> renameUnlessExistsFuture(DirectoryHandle directory, Path name, Path newName) {
        OperationFuture<Void> future = newFuture();
        return future.started(renameUnlessExists(future, null, directory, name, newName));
    }

    /**
     * Exchanges two names in a directory, as {@link DirectoryHandle#exchange} does.
     *
     * @param handler   receives the completion
     * @param token     the token of the completion; may be null
     * @param directory the directory, held open until the completion
     * @param name      one name
     * @param other     the other one
     * @return the ticket, for {@link Proactor#cancel(long)}
     * @throws UnsupportedOperationException except on Linux and macOS
     */
    public final long exchange(CompletionHandler handler, @Nullable Object token, DirectoryHandle directory,
            Path name, Path other) {
        long ticket = claim(handler, token);
        operations.claimed(ticket).names(OperationType.EXCHANGE, directory, name, other);
        return ticket;
    }

    /** {@return a future of the completion; see {@link #exchange}} */
    @CheckReturnValue
    public final CompletableFuture<Void> exchangeFuture(DirectoryHandle directory, Path name, Path other) {
        OperationFuture<Void> future = newFuture();
        return future.started(exchange(future, null, directory, name, other));
    }

    /**
     * Gives a file a further name, as {@link DirectoryHandle#link} does.
     *
     * @param handler   receives the completion
     * @param token     the token of the completion; may be null
     * @param directory the directory, held open until the completion
     * @param name      the name
     * @param newName   the further name
     * @return the ticket, for {@link Proactor#cancel(long)}
     */
    public final long link(CompletionHandler handler, @Nullable Object token, DirectoryHandle directory, Path name,
            Path newName) {
        long ticket = claim(handler, token);
        operations.claimed(ticket).names(OperationType.LINK, directory, name, newName);
        return ticket;
    }

    /** {@return a future of the completion; see {@link #link}} */
    @CheckReturnValue
    public final CompletableFuture<Void> linkFuture(DirectoryHandle directory, Path name, Path newName) {
        OperationFuture<Void> future = newFuture();
        return future.started(link(future, null, directory, name, newName));
    }

    /**
     * Removes a file from a directory, as {@link DirectoryHandle#delete} does.
     *
     * @param handler   receives the completion
     * @param token     the token of the completion; may be null
     * @param directory the directory, held open until the completion
     * @param name      the name
     * @return the ticket, for {@link Proactor#cancel(long)}
     */
    public final long delete(CompletionHandler handler, @Nullable Object token, DirectoryHandle directory, Path name) {
        long ticket = claim(handler, token);
        operations.claimed(ticket).name(OperationType.DELETE, directory, name);
        return ticket;
    }

    /** {@return a future of the completion; see {@link #delete}} */
    @CheckReturnValue
    public final CompletableFuture<Void> deleteFuture(DirectoryHandle directory, Path name) {
        OperationFuture<Void> future = newFuture();
        return future.started(delete(future, null, directory, name));
    }

    /**
     * Creates a directory in another one, as {@link DirectoryHandle#createDirectory} does.
     *
     * @param handler   receives the completion
     * @param token     the token of the completion; may be null
     * @param directory  the directory, held open until the completion
     * @param name       the name
     * @param attributes the permissions
     * @return the ticket, for {@link Proactor#cancel(long)}
     * @throws UnsupportedOperationException if there is another attribute
     */
    public final long createDirectory(CompletionHandler handler, @Nullable Object token, DirectoryHandle directory,
            Path name, FileAttribute<?>... attributes) {
        long ticket = claim(handler, token);
        operations.claimed(ticket).name(OperationType.CREATE_DIRECTORY, directory, name, attributes);
        return ticket;
    }

    /** {@return a future of the completion; see {@link #createDirectory}} */
    @CheckReturnValue
    public final CompletableFuture<Void> createDirectoryFuture(DirectoryHandle directory, Path name,
            FileAttribute<?>... attributes) {
        OperationFuture<Void> future = newFuture();
        return future.started(createDirectory(future, null, directory, name, attributes));
    }

    /**
     * Removes an empty directory from another one, as {@link DirectoryHandle#deleteDirectory} does.
     *
     * @param handler   receives the completion
     * @param token     the token of the completion; may be null
     * @param directory the directory, held open until the completion
     * @param name      the name
     * @return the ticket, for {@link Proactor#cancel(long)}
     */
    public final long deleteDirectory(CompletionHandler handler, @Nullable Object token, DirectoryHandle directory,
            Path name) {
        long ticket = claim(handler, token);
        operations.claimed(ticket).name(OperationType.DELETE_DIRECTORY, directory, name);
        return ticket;
    }

    /** {@return a future of the completion; see {@link #deleteDirectory}} */
    @CheckReturnValue
    public final CompletableFuture<Void> deleteDirectoryFuture(DirectoryHandle directory, Path name) {
        OperationFuture<Void> future = newFuture();
        return future.started(deleteDirectory(future, null, directory, name));
    }

    /**
     * Waits until the names in a directory are on the disk, as {@link DirectoryHandle#force} does.
     *
     * @param handler   receives the completion
     * @param token     the token of the completion; may be null
     * @param directory the directory, held open until the completion
     * @return the ticket, for {@link Proactor#cancel(long)}
     */
    public final long forceDirectory(CompletionHandler handler, @Nullable Object token, DirectoryHandle directory) {
        long ticket = claim(handler, token);
        operations.claimed(ticket).forceDirectory(directory);
        return ticket;
    }

    /** {@return a future of the completion; see {@link #forceDirectory}} */
    @CheckReturnValue
    public final CompletableFuture<Void> forceDirectoryFuture(DirectoryHandle directory) {
        OperationFuture<Void> future = newFuture();
        return future.started(forceDirectory(future, null, directory));
    }
}
