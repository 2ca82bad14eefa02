package dev.sluice.mechanism.wfmo;

import dev.sluice.calls.Binding;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.handle.SystemCallException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Finds functions of Windows, for the system to call back. */
final class SystemFunction {

    private SystemFunction() {
    }

    /**
     * Finds a function.
     *
     * @param library  one that every process has loaded
     * @param function its name
     * @return its address
     */
    static long find(Binding binding, String library, String function) throws SystemCallException {
        Windows windows = binding.windows();
        try (MemoryBlock libraryName = text(binding, library, StandardCharsets.UTF_16LE);
                MemoryBlock functionName = text(binding, function, StandardCharsets.US_ASCII)) {
            long module = windows.GetModuleHandleW(libraryName.address());
            if (module < 0) {
                throw new SystemCallException("GetModuleHandle", library, WindowsError.toErrno(module));
            }
            long address = windows.GetProcAddress(module, functionName.address());
            if (address < 0) {
                throw new SystemCallException("GetProcAddress", function, WindowsError.toErrno(address));
            }
            return address;
        }
    }

    private static MemoryBlock text(Binding binding, String text, Charset charset) {
        byte[] bytes = (text + '\0').getBytes(charset);
        MemoryBlock block = binding.memory().allocate(bytes.length);
        block.buffer().put(0, bytes);
        return block;
    }
}
