package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScratchTest extends LeakChecked {

    @Test
    void eachThreadHasItsOwn() throws Exception {
        Binding binding = Bindings.current();
        Scratch mine = Scratch.current(binding);
        assertSame(mine, Scratch.current(binding));
        assertNotSame(mine, Background.run(() -> Scratch.current(binding)).result());
    }

    @Test
    void isGivenBackAfterTheThread() throws Exception {
        Binding binding = Bindings.current();
        long before = MemoryBlock.openBytes();
        List<Background<Long>> threads = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            threads.add(Background.run(() -> Scratch.current(binding).address(0)));
        }
        for (Background<Long> thread : threads) {
            thread.result();
        }
        threads.clear();
        Patience patience = new Patience();
        while (MemoryBlock.openBytes() > before && patience.lasts()) {
            System.gc();
        }
        assertTrue(MemoryBlock.openBytes() <= before, () -> MemoryBlock.openBytes() - before + " bytes are left");
    }

    @Test
    void placesDoNotOverlap() {
        int[] places = {Scratch.VALUE, Scratch.LENGTH, Scratch.ADDRESS, Scratch.MESSAGE, Scratch.VECTOR, Scratch.COPY};
        Scratch scratch = Scratch.current(Bindings.current());
        for (int place : places) {
            assertEquals(0, place % Long.BYTES);
        }
        assertEquals(Scratch.COPY + Scratch.COPY_SIZE, scratch.memory().capacity());
    }
}
