package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.SockaddrIn;
import dev.sluice.calls.layout.SocketConstants;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;

/**
 * Binds each TCP socket that is opened until the close to one port of the loopback address, on which nothing listens: a
 * system does so by chance for a client that connects to that port often enough. For Unix systems.
 */
public final class OwnPort implements AutoCloseable {

    private static final int TYPE_MASK = 0xf;

    private final Binding real = Bindings.current();
    private final InetSocketAddress address;

    private OwnPort() throws IOException {
        try (SocketAcceptor acceptor = SocketAcceptor.open(new InetSocketAddress("127.0.0.1", 0))) {
            address = (InetSocketAddress) acceptor.localAddress();
        }
        Bindings.use(real.decorated(real.name(), new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T calls) {
                return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                        (proxy, method, arguments) -> {
                            Object result = FaultInjection.reflect(calls, method, arguments);
                            if (method.getName().equals("socket")
                                    && ((Integer) arguments[1] & TYPE_MASK) == SocketConstants.SOCK_STREAM) {
                                bind(real.posix(), (Integer) result);
                            }
                            return result;
                        }));
            }
        }));
    }

    /** {@return an instance that is in effect until it is closed} */
    public static OwnPort install() throws IOException {
        return new OwnPort();
    }

    private void bind(Posix posix, int socket) throws IOException {
        try (MemoryBlock block = real.memory().allocate(SockaddrIn.SIZE)) {
            int length = SocketAddresses.write(address, SocketConstants.AF_INET, block.buffer(), 0);
            int result = posix.bind(socket, block.address(), length);
            if (result < 0) {
                throw new IllegalStateException("bind " + address + ": " + Errno.describe(result));
            }
        }
    }

    /** {@return the address to connect to} */
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        Bindings.use(real);
    }
}
