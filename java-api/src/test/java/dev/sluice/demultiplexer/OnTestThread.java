package dev.sluice.demultiplexer;

import dev.sluice.calls.Emulator;
import java.lang.reflect.Method;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Runs tests on {@link TestThreads}, and fails those that hang: a thread that sits in a system call cannot be
 * interrupted, so the tests go on without it.
 */
final class OnTestThread implements InvocationInterceptor {

    private static final long SECONDS = Emulator.patience(Duration.ofSeconds(120)).toSeconds();

    @Override
    public void interceptBeforeEachMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method,
            ExtensionContext context) throws Throwable {
        run(invocation);
    }

    @Override
    public void interceptTestMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method,
            ExtensionContext context) throws Throwable {
        run(invocation);
    }

    @Override
    public void interceptTestTemplateMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method,
            ExtensionContext context) throws Throwable {
        run(invocation);
    }

    @Override
    public void interceptAfterEachMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method,
            ExtensionContext context) throws Throwable {
        run(invocation);
    }

    private static void run(Invocation<Void> invocation) throws Exception {
        TestThreads.result(TestThreads.start(() -> {
            try {
                return invocation.proceed();
            } catch (Error | Exception e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }), SECONDS);
    }
}
