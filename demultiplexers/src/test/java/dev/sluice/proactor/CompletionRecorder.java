package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.timer.TimeoutHandler;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** A handler that notes every completion, and then does what the test wants. Closes the streams and files it gets. */
public final class CompletionRecorder implements CompletionHandler, TimeoutHandler, AutoCloseable {

    /** What a completion said. */
    public record Result(OperationType type, Handle handle, Object token, boolean isSuccess, boolean isCancelled,
                         long bytes, long result, boolean end, boolean last, IOException error,
                         SocketStream stream, FileHandle file, boolean hasBuffer, Thread thread) {

        static Result of(Completion completion) {
            return new Result(completion.type(), completion.handle(), completion.token(),
                    completion.isSuccess(), completion.isCancelled(), completion.bytesTransferred(),
                    completion.result(), completion.isEndOfStream(), completion.isLast(), completion.error(),
                    completion.stream(), completion.file(), completion.buffer() != null, Thread.currentThread());
        }

        boolean isFailure() {
            return !isSuccess && !isCancelled;
        }
    }

    /** What a hook does besides. */
    @FunctionalInterface
    public interface Reaction {
        /** Does it. */
        void to(Completion completion) throws Exception;
    }

    private final String name;
    private final List<Result> results = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final List<Handle> failed = new CopyOnWriteArrayList<>();
    private final List<String> timeouts = new CopyOnWriteArrayList<>();
    private final Map<OperationType, Reaction> reactions = new EnumMap<>(OperationType.class);
    private Reaction onTimeout = nothing -> { };

    public CompletionRecorder(String name) {
        this.name = name;
    }

    /** To be called before the first operation is started. */
    public CompletionRecorder on(OperationType type, Reaction reaction) {
        reactions.put(type, reaction);
        return this;
    }

    public CompletionRecorder onTimeout(Reaction reaction) {
        onTimeout = reaction;
        return this;
    }

    public List<Result> results() {
        return List.copyOf(results);
    }

    /** {@return the completions with this token} */
    public List<Result> results(Object token) {
        return results.stream().filter(result -> Objects.equals(result.token(), token)).toList();
    }

    /** {@return the tokens in the order of the completions} */
    public List<Object> tokens() {
        return results.stream().map(Result::token).toList();
    }

    /** {@return the number of operations that are over} */
    public long over() {
        return results.stream().filter(Result::last).count();
    }

    /** {@return whether the operation with this token is} */
    public boolean isOver(Object token) {
        return results.stream().anyMatch(result -> result.last() && Objects.equals(result.token(), token));
    }

    /** {@return the only last completion with this token} */
    public Result last(Object token) {
        List<Result> last = results(token).stream().filter(Result::last).toList();
        assertEquals(1, last.size(), () -> "last completions with " + token + ": " + last);
        return last.get(0);
    }

    public List<Throwable> failures() {
        return List.copyOf(failures);
    }

    /** {@return the handle of each failure that had one} */
    public List<Handle> failed() {
        return List.copyOf(failed);
    }

    /** {@return the token of each expiry} */
    public List<String> timeouts() {
        return List.copyOf(timeouts);
    }

    @Override
    public void handleCompletion(Completion completion) throws Exception {
        results.add(Result.of(completion));
        Reaction reaction = reactions.get(completion.type());
        if (reaction != null) {
            reaction.to(completion);
        }
    }

    @Override
    public void handleTimeout(Object token) throws Exception {
        timeouts.add(String.valueOf(token));
        onTimeout.to(null);
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        EventLoopContract.noteFailure(cause);
        if (handle != null) {
            failed.add(handle);
        }
        failures.add(cause);
    }

    @Override
    public String toString() {
        return name;
    }

    @Override
    public void close() {
        for (Result result : results) {
            if (result.stream() != null) {
                result.stream().close();
            }
            if (result.file() != null) {
                result.file().close();
            }
        }
    }
}
