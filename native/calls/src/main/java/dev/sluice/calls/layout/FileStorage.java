package dev.sluice.calls.layout;

/** What {@code GetFileInformationByHandleEx} returns for {@link Win32Constants#FileStorageInfo}. */
@CStruct(value = "FILE_STORAGE_INFO", headers = {"winsock2.h", "windows.h"}, on = On.WINDOWS)
public final class FileStorage {

    public static final int SIZE = 28;
    /** What positions and lengths of unbuffered transfers are multiples of, in bytes. */
    @CName("LogicalBytesPerSector")
    public static final int LOGICAL_BYTES_PER_SECTOR = 0;

    private FileStorage() {
    }
}
