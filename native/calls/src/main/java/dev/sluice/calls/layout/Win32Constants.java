package dev.sluice.calls.layout;

/** Flags of files, mappings, waits and completion ports of Windows. */
@CConstants(headers = {"winsock2.h", "windows.h", "winioctl.h", "winternl.h", "ntstatus.h"}, on = On.WINDOWS)
public final class Win32Constants {

    public static final int GENERIC_READ = 0x80000000;
    public static final int DELETE = 0x10000;
    public static final int GENERIC_WRITE = 0x40000000;
    public static final int FILE_APPEND_DATA = 4;
    public static final int FILE_WRITE_DATA = 2;
    public static final int FILE_GENERIC_WRITE = 0x120116;
    public static final int SYNCHRONIZE = 0x100000;

    public static final int FILE_SHARE_READ = 1;
    public static final int FILE_SHARE_WRITE = 2;
    public static final int FILE_SHARE_DELETE = 4;

    public static final int CREATE_NEW = 1;
    public static final int CREATE_ALWAYS = 2;
    public static final int OPEN_EXISTING = 3;
    public static final int OPEN_ALWAYS = 4;
    public static final int TRUNCATE_EXISTING = 5;

    public static final int FILE_ATTRIBUTE_NORMAL = 128;
    public static final int FILE_ATTRIBUTE_REPARSE_POINT = 0x400;
    public static final int FILE_FLAG_DELETE_ON_CLOSE = 0x4000000;
    public static final int FILE_FLAG_NO_BUFFERING = 0x20000000;
    public static final int FILE_FLAG_OPEN_REPARSE_POINT = 0x200000;
    public static final int FILE_FLAG_OVERLAPPED = 0x40000000;
    public static final int FILE_FLAG_WRITE_THROUGH = 0x80000000;
    public static final int FILE_FLAG_BACKUP_SEMANTICS = 0x2000000;

    public static final int FILE_OPEN = 1;

    public static final int FileAllocationInfo = 5;
    public static final int FileEndOfFileInfo = 6;
    public static final int FileAttributeTagInfo = 9;
    public static final int FileStorageInfo = 16;
    public static final int IO_REPARSE_TAG_SYMLINK = 0xa000000c;

    public static final int FSCTL_SET_SPARSE = 0x900c4;
    /** Takes a {@link FileZeroData}. */
    public static final int FSCTL_SET_ZERO_DATA = 0x980c8;

    public static final int LOCKFILE_FAIL_IMMEDIATELY = 1;
    public static final int LOCKFILE_EXCLUSIVE_LOCK = 2;

    public static final int PAGE_READONLY = 2;
    public static final int PAGE_READWRITE = 4;
    public static final int PAGE_WRITECOPY = 8;
    public static final int FILE_MAP_READ = 4;
    public static final int FILE_MAP_WRITE = 2;
    public static final int FILE_MAP_COPY = 1;

    public static final int FILE_SKIP_COMPLETION_PORT_ON_SUCCESS = 1;
    public static final int FILE_SKIP_SET_EVENT_ON_HANDLE = 2;

    public static final int HANDLE_FLAG_INHERIT = 1;

    public static final int INFINITE = 0xffffffff;
    public static final int WAIT_OBJECT_0 = 0;
    public static final int WAIT_TIMEOUT = 258;
    public static final int MAXIMUM_WAIT_OBJECTS = 64;

    public static final int STATUS_SUCCESS = 0;
    public static final int STATUS_PENDING = 259;
    public static final int STATUS_NOT_IMPLEMENTED = 0xc0000002;
    public static final int STATUS_END_OF_FILE = 0xc0000011;
    public static final int STATUS_CANCELLED = 0xc0000120;
    public static final int STATUS_NOT_FOUND = 0xc0000225;

    private Win32Constants() {
    }
}
