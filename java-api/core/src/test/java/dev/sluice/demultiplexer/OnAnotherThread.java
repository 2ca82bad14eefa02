package dev.sluice.demultiplexer;

import dev.sluice.calls.Emulator;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Runs a test, and what is before and after it, on another thread than JUnit's: a thread that sits in a system call
 * cannot be interrupted, so a test that hangs fails, and the tests after it go on without its thread.
 */
abstract class OnAnotherThread implements InvocationInterceptor {

    static final long SECONDS = Emulator.patience(Duration.ofSeconds(120)).toSeconds();

    /** Runs a part of a test, and throws what that throws. */
    abstract void run(Callable<Void> part) throws Throwable;

    private void runPart(Invocation<Void> invocation) throws Throwable {
        run(() -> {
            try {
                return invocation.proceed();
            } catch (Error | Exception e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        });
    }

    @Override
    public final void interceptBeforeEachMethod(Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
        runPart(invocation);
    }

    @Override
    public final void interceptTestMethod(Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
        runPart(invocation);
    }

    @Override
    public final void interceptTestTemplateMethod(Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
        runPart(invocation);
    }

    @Override
    public final void interceptAfterEachMethod(Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
        runPart(invocation);
    }
}
