package dev.sluice.wine;

import java.nio.charset.StandardCharsets;
import java.util.function.LongUnaryOperator;

/** Finds functions of Windows in the host. */
final class Win32 {

    private final Win32Host host;
    private final SharedHeap heap;
    private final HostFunction loadLibrary;
    private final HostFunction getProcAddress;

    Win32(Win32Host host, SharedHeap heap) {
        this.host = host;
        this.heap = heap;
        this.loadLibrary = host.loadLibrary();
        this.getProcAddress = host.getProcAddress();
    }

    /** The functions of one library. */
    final class Library {

        private final String name;
        private final long handle;

        private Library(String name) {
            this.name = name;
            this.handle = named(name, text -> loadLibrary.pointerOrError(text));
        }

        /** {@return a function that answers soon} */
        HostFunction function(String function) {
            return find(function, false);
        }

        /** {@return a function that may take arbitrarily long} */
        HostFunction blocking(String function) {
            return find(function, true);
        }

        private HostFunction find(String function, boolean mayBlock) {
            long pointer = named(function, text -> getProcAddress.pointerOrError(handle, text));
            if (pointer < 0) {
                throw new HostFailure(name + " has no " + function + ": error " + -pointer);
            }
            return new HostFunction(host, function, pointer, mayBlock);
        }
    }

    Library library(String name) {
        Library library = new Library(name);
        if (library.handle < 0) {
            throw new HostFailure("LoadLibrary " + name + ": error " + -library.handle);
        }
        return library;
    }

    /** {@return a function whose pointer Windows has returned} */
    HostFunction extension(String name, long pointer) {
        return new HostFunction(host, name, pointer, true);
    }

    private long named(String name, LongUnaryOperator call) {
        byte[] bytes = (name + '\0').getBytes(StandardCharsets.US_ASCII);
        long text = heap.allocate(bytes.length);
        try {
            heap.slice(text, bytes.length).put(bytes);
            return call.applyAsLong(text);
        } finally {
            heap.free(text, bytes.length);
        }
    }
}
