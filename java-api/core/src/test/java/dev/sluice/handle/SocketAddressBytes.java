package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.calls.layout.SockaddrIn;
import dev.sluice.calls.layout.SockaddrIn6;
import dev.sluice.calls.layout.SockaddrStorage;
import dev.sluice.calls.layout.SockaddrUn;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.calls.layout.WinsockConstants;
import dev.sluice.campaign.FuzzTarget;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A {@code sockaddr} as a system may fill it in: the input is everything that was written; bytes behind it, or from
 * before, must have no effect.
 */
final class SocketAddressBytes implements FuzzTarget {

    private static final int AT = 5;

    @Override
    public void check(byte[] input) throws IOException {
        byte[] octets = cut(input);
        SocketAddress expected = expected(octets);
        for (byte before : new byte[] {0, 1, 'x', -1}) {
            ByteBuffer memory = ByteBuffer.allocate(AT + 2 * SockaddrStorage.SIZE).order(ByteOrder.nativeOrder());
            Arrays.fill(memory.array(), before);
            PeerAddress peer = new PeerAddress();
            peer.readFrom(memory, 0, SockaddrStorage.SIZE);
            memory.put(AT, octets);
            peer.readFrom(memory, AT, octets.length);
            assertNotNull(peer.toString());
            if (expected == null) {
                assertThrows(IOException.class, peer::toSocketAddress);
                assertThrows(IOException.class, () -> SocketAddresses.read(memory, AT, octets.length));
            } else {
                assertSameAddress(expected, peer.hasAddress() ? peer.toSocketAddress() : expected);
                assertSameAddress(expected, SocketAddresses.read(memory, AT, octets.length));
            }
            byte[] copy = new byte[SockaddrStorage.SIZE];
            assertEquals(octets.length, peer.writeTo(ByteBuffer.wrap(copy), 0));
            assertArrayEquals(Arrays.copyOf(octets, copy.length), copy);
        }
        if (expected != null) {
            writtenAndReadAgain(expected);
        }
    }

    /** Truncates the input to the length of a system's addresses. */
    private static byte[] cut(byte[] input) {
        byte[] octets = Arrays.copyOf(input, Math.min(input.length, SockaddrStorage.SIZE));
        boolean isUnix = octets.length > SockaddrUn.SIZE && SockaddrStorage.family(
                ByteBuffer.wrap(octets).order(ByteOrder.nativeOrder()), 0) == SocketConstants.AF_UNIX;
        return isUnix ? Arrays.copyOf(octets, SockaddrUn.SIZE) : octets;
    }

    /** Compares paths as text, because the expected path was created from text, which cannot represent all bytes. */
    private static void assertSameAddress(SocketAddress expected, SocketAddress actual) {
        if (expected instanceof UnixDomainSocketAddress) {
            assertEquals(expected.toString(), actual.toString());
        } else {
            assertEquals(expected, actual);
        }
    }

    /** Returns null if the library does not support the address. */
    private static SocketAddress expected(byte[] octets) throws IOException {
        ByteBuffer memory = ByteBuffer.wrap(octets).order(ByteOrder.nativeOrder());
        if (octets.length < SockaddrUn.PATH) {
            return null;
        }
        int family = SockaddrStorage.family(memory, 0);
        if (family == SocketConstants.AF_INET && octets.length >= SockaddrIn.SIZE) {
            return new InetSocketAddress(InetAddress.getByAddress(Arrays.copyOfRange(octets, 4, 8)), port(octets));
        }
        // The test of a Windows binding runs on another system, on which the number is not that of a supported family.
        boolean inet6 = family == SocketConstants.AF_INET6 || family == WinsockConstants.AF_INET6;
        if (inet6 && octets.length >= SockaddrIn6.SIZE) {
            byte[] address = Arrays.copyOfRange(octets, 8, 24);
            boolean mapped = HexFormat.of().formatHex(address).startsWith("00000000000000000000ffff");
            return new InetSocketAddress(mapped ? InetAddress.getByAddress(Arrays.copyOfRange(address, 12, 16))
                    : Inet6Address.getByAddress(null, address, memory.getInt(24)), port(octets));
        }
        if (family == SocketConstants.AF_UNIX) {
            String path = new String(octets, SockaddrUn.PATH, octets.length - SockaddrUn.PATH, StandardCharsets.UTF_8);
            int end = path.indexOf('\0');
            try {
                return UnixDomainSocketAddress.of(end < 0 ? path : path.substring(0, end));
            } catch (InvalidPathException e) {
                // Not every string is a path on Windows.
                return null;
            }
        }
        return null;
    }

    private static int port(byte[] octets) {
        return (octets[2] & 0xff) << 8 | octets[3] & 0xff;
    }

    private static void writtenAndReadAgain(SocketAddress address) throws IOException {
        boolean tooLong = address instanceof UnixDomainSocketAddress unix
                && unix.getPath().toString().getBytes(StandardCharsets.UTF_8).length > SockaddrUn.longestPath();
        if (tooLong) {
            assertThrows(IOException.class, () -> PeerAddress.of(address));
            return;
        }
        PeerAddress peer = PeerAddress.of(address);
        assertEquals(peer, PeerAddress.of(address));
        boolean named = !(address instanceof UnixDomainSocketAddress unix) || !unix.getPath().toString().isEmpty();
        assertEquals(named, peer.hasAddress());
        if (named) {
            assertEquals(address, peer.toSocketAddress());
            assertFalse(peer.toString().isEmpty());
        }
    }
}
