package dev.sluice.handle;

import static dev.sluice.calls.layout.SocketConstants.AF_INET;
import static dev.sluice.calls.layout.SocketConstants.AF_UNIX;

import dev.sluice.calls.layout.SockaddrIn;
import dev.sluice.calls.layout.SockaddrIn6;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SockaddrUn;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.PathBytes;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;

/** Converts between {@code java.net} addresses and the system's {@code sockaddr} structures. */
final class SocketAddresses {

    private static final int PORT_SHIFT = Byte.SIZE;
    private static final String UNNAMED = "(unnamed)";

    private SocketAddresses() {
    }

    static int family(SocketAddress address) throws IOException {
        if (address instanceof InetSocketAddress inet) {
            return resolved(inet) instanceof Inet6Address ? OperatingSystem.current().inet6() : AF_INET;
        }
        if (address instanceof UnixDomainSocketAddress) {
            return AF_UNIX;
        }
        throw new IllegalArgumentException("neither an internet nor a Unix domain address: " + address);
    }

    /**
     * Writes an address for a socket of the given family.
     *
     * @return the structure's length in bytes
     */
    static int write(SocketAddress address, int family, ByteBuffer memory, int at) throws IOException {
        if (address instanceof UnixDomainSocketAddress unix && family == AF_UNIX) {
            return writeUnix(unix, memory, at);
        }
        if (address instanceof InetSocketAddress inet && isInet6(family)) {
            return writeInet6(resolved(inet), inet.getPort(), family, memory, at);
        }
        if (address instanceof InetSocketAddress inet && family == AF_INET) {
            if (resolved(inet) instanceof Inet6Address) {
                throw new IllegalArgumentException("an IPv6 address does not go with an IPv4 socket: " + show(address));
            }
            SockaddrStorage.family(memory, at, AF_INET);
            putPort(memory, at + SockaddrIn.PORT, inet.getPort());
            memory.put(at + SockaddrIn.ADDR, inet.getAddress().getAddress());
            memory.putLong(at + SockaddrIn.SIZE - Long.BYTES, 0);
            return SockaddrIn.SIZE;
        }
        throw new IllegalArgumentException("the address does not go with the socket's family: " + show(address));
    }

    private static int writeInet6(InetAddress address, int port, int family, ByteBuffer memory, int at) {
        SockaddrStorage.family(memory, at, family);
        putPort(memory, at + SockaddrIn6.PORT, port);
        memory.putInt(at + SockaddrIn6.FLOWINFO, 0);
        memory.putInt(at + SockaddrIn6.SCOPE_ID, 0);
        int start = at + SockaddrIn6.ADDR;
        byte[] bytes = address.getAddress();
        if (address instanceof Inet6Address inet6) {
            memory.putInt(at + SockaddrIn6.SCOPE_ID, inet6.getScopeId());
            memory.put(start, bytes);
        } else {
            // An IPv6 socket reaches IPv4 hosts under the mapped form ::ffff:a.b.c.d (RFC 4291, 2.5.5.2); the IPv4
            // wildcard becomes the IPv6 one.
            memory.putLong(start, 0);
            memory.putInt(start + 8, 0);
            memory.put(start + 12, bytes);
            if (!address.isAnyLocalAddress()) {
                memory.putShort(start + 10, (short) -1);
            }
        }
        return SockaddrIn6.SIZE;
    }

    private static int writeUnix(UnixDomainSocketAddress address, ByteBuffer memory, int at) throws IOException {
        byte[] path = PathBytes.of(address.getPath());
        if (path.length > SockaddrUn.longestPath()) {
            throw new SocketException("Unix domain path of " + path.length + " bytes is longer than the "
                    + SockaddrUn.longestPath() + " that fit: " + address);
        }
        SockaddrStorage.family(memory, at, AF_UNIX);
        if (path.length == 0) {
            // No name: bind(2) chooses one, connect(2) fails. A single zero byte would be the name "\0", which all
            // processes share.
            return SockaddrUn.PATH;
        }
        memory.put(at + SockaddrUn.PATH, path);
        memory.put(at + SockaddrUn.PATH + path.length, (byte) 0);
        return Math.min(SockaddrUn.PATH + path.length + 1, SockaddrUn.SIZE);
    }

    /**
     * Reads an address that a call has filled in; an unnamed Unix domain socket has the empty path.
     *
     * @param length the length in bytes; memory beyond it is not read
     * @throws SocketException if it is not an address of one of the three families, or has a path that {@code java.nio}
     *                         cannot represent
     */
    static SocketAddress read(ByteBuffer memory, int at, int length) throws IOException {
        if (length < SockaddrUn.PATH) {
            throw new SocketException("address of " + length + " bytes, without its family");
        }
        int family = SockaddrStorage.family(memory, at);
        if (family == AF_INET && length >= SockaddrIn.SIZE) {
            byte[] bytes = new byte[4];
            memory.get(at + SockaddrIn.ADDR, bytes);
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port(memory, at + SockaddrIn.PORT));
        }
        if (isInet6(family) && length >= SockaddrIn6.SIZE) {
            byte[] bytes = new byte[16];
            memory.get(at + SockaddrIn6.ADDR, bytes);
            int scope = memory.getInt(at + SockaddrIn6.SCOPE_ID);
            // An IPv4 address in its mapped form has no scope, whatever the structure says.
            InetAddress address = InetAddress.getByAddress(bytes);
            return new InetSocketAddress(scope != 0 && address instanceof Inet6Address
                    ? Inet6Address.getByAddress(null, bytes, scope) : address, port(memory, at + SockaddrIn6.PORT));
        }
        if (family == AF_UNIX) {
            int size = 0;
            while (SockaddrUn.PATH + size < length && memory.get(at + SockaddrUn.PATH + size) != 0) {
                size++;
            }
            byte[] path = new byte[size];
            memory.get(at + SockaddrUn.PATH, path);
            return unix(path);
        }
        throw new SocketException("address of " + length + " bytes, which does not fit family " + family);
    }

    /** Converts the path of a peer. It may be any bytes, and on Windows not every sequence of bytes is a Java path. */
    private static SocketAddress unix(byte[] path) throws SocketException {
        try {
            return UnixDomainSocketAddress.of(PathBytes.toPath(path));
        } catch (InvalidPathException e) {
            throw (SocketException) new SocketException("Unix domain path that is not a valid Java path: "
                    + new String(path, StandardCharsets.UTF_8)).initCause(e);
        }
    }

    /** {@return whether it is the address of a Unix domain socket that is not bound to a path} */
    static boolean isUnnamed(SocketAddress address) {
        return address instanceof UnixDomainSocketAddress unix && unix.getPath().toString().isEmpty();
    }

    /** Formats an address for messages: without the slash of {@code InetSocketAddress}, and with IPv6 in brackets. */
    static String show(SocketAddress address) {
        if (address instanceof InetSocketAddress inet) {
            InetAddress ip = inet.getAddress();
            String host = ip == null ? inet.getHostString() : ip.getHostAddress();
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + inet.getPort();
        }
        return isUnnamed(address) ? UNNAMED : String.valueOf(address);
    }

    private static InetAddress resolved(InetSocketAddress inet) throws UnknownHostException {
        if (inet.isUnresolved()) {
            throw new UnknownHostException(inet.getHostString() + ": unresolved address: resolve it first, for"
                    + " example by new InetSocketAddress(host, port)");
        }
        return inet.getAddress();
    }

    /**
     * Returns whether it is the number of IPv6 on any system. No other family that this library opens has one of these
     * numbers.
     */
    private static boolean isInet6(int family) {
        return family == SocketConstants.AF_INET6 || family == WinsockConstants.AF_INET6;
    }

    private static void putPort(ByteBuffer memory, int at, int port) {
        memory.put(at, (byte) (port >> PORT_SHIFT));
        memory.put(at + 1, (byte) port);
    }

    private static int port(ByteBuffer memory, int at) {
        return (memory.get(at) & 0xff) << PORT_SHIFT | memory.get(at + 1) & 0xff;
    }
}
